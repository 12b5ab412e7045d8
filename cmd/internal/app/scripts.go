package app

// Scripts that make a shell complete the command lines of PROGRAM. Each asks the program
// itself. "export" without a path is a builtin command of shells, which completes to the
// names of variables as before.

// bashScript works with bash 3.2 and later. Bash takes : and = for the ends of words, and
// replaces only what follows them.
const bashScript = `_PROGRAM_completion() {
  local program="${COMP_WORDS[0]/#\~/$HOME}" line="${COMP_LINE:0:COMP_POINT}" part="${COMP_WORDS[COMP_CWORD]}"
  local current prefix candidate
  local -a words=()
  read -ra words <<< "$line"
  if [[ "$line" == *[[:space:]] ]]; then words+=(""); fi
  current="${words[${#words[@]}-1]}"
  COMPREPLY=()
  if [[ "$program" == export ]]; then
    COMPREPLY=($(compgen -v -- "$current"))
    return
  fi
  if [[ "$part" == [:=] ]]; then part=""; fi
  prefix="${current%"$part"}"
  while IFS=$'\t' read -r candidate _; do
    COMPREPLY+=("${candidate#"$prefix"}")
  done < <("$program" __complete "${words[@]:1}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} == 1 && "${COMPREPLY[0]}" == *[:=,] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o bashdefault -o default -F _PROGRAM_completion PROGRAM
`

const zshScript = `#compdef PROGRAM
_PROGRAM_completion() {
  local program="${words[1]/#\~/$HOME}" line text
  local -a whole open
  if [[ "$program" == export ]]; then
    _parameters
    return
  fi
  for line in "${(@f)$("$program" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    text="${line%%$'\t'*}"
    if [[ -z "$text" ]]; then continue; fi
    line="${text//:/\\:}:${line#*$'\t'}"
    if [[ "$text" == *[:=,] ]]; then open+=("${line%:}"); else whole+=("${line%:}"); fi
  done
  if (( $#whole + $#open == 0 )); then
    _files
    return
  fi
  _describe 'value' whole
  _describe 'value' open -S ''
}
compdef _PROGRAM_completion PROGRAM
`

const fishScript = `function __PROGRAM_completion
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' "$HOME" -- $words[1])
    if test "$program" = export
        set --names
        return
    end
    set -l candidates ($program __complete $words[2..-1] "$current" 2>/dev/null)
    if test (count $candidates) -eq 0
        __fish_complete_path "$current"
        return
    end
    printf '%s\n' $candidates
end
complete -c PROGRAM -f -a '(__PROGRAM_completion)'
`
