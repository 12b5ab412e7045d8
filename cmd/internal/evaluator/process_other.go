//go:build !linux

package evaluator

import "os/exec"

// bind does nothing: on this system a child ends because its input ends.
func bind(*exec.Cmd) {}

// kill kills the child.
func (p *process) kill() error { return p.cmd.Process.Kill() }

// guardGroup does nothing: on this system a child ends because its input ends.
func guardGroup(int) (end func()) { return func() {} }
