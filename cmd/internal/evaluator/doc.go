// Package evaluator connects to models of users: programs that answer, for a batch of positions, the
// expected result and a logit of every legal action. Such a program is started as a child and speaks over
// its standard input and output, or it runs already and listens on a socket. docs/evaluators.md describes
// the protocol for programs in any language; python/src/selfplay/evaluator.py is the other side of it.
//
// All numbers are little endian. Both sides send frames: a header of 12 bytes with its kind and length, and
// a body. The sizes of an answer follow from its question, so a program that misbehaves is found out by
// the first frame that does not fit.
//
// A model is pure: the same position has the same answer. So after a crash the client starts the program
// again, or connects again, and asks the same batch. It gives up after three failures without an answer
// between them. Only flags of the command line define evaluators.
package evaluator
