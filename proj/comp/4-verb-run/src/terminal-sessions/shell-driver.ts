import { INTRODUCER } from './markers.js'

/** Longest line typed at once: a terminal accepts at most 4095 bytes. */
const MAX_TYPED = 1000
/** Ctrl-U, which erases the typed line. */
const ERASE_LINE = '\u0015'
/**
 * Resets shell options that a command may have set: with them the next command could end the shell, or be printed
 * twice.
 */
const RESET = 'set +euvx'

/**
 * Becomes an interactive shell without the user's settings: bash, else the POSIX one. Interactive, since only such a
 * shell stops a whole list of commands at Ctrl-C and hands the terminal to programs.
 */
export const START_SHELL = 'command -v bash >/dev/null 2>&1 && exec bash --noprofile --norc --noediting -i; exec sh -i'

/**
 * Defines the shell functions that run commands:
 * - `b` starts one: decodes it, and prints the marker `started`.
 * - `e` ends it: prints the marker `ended` with its status. Also called before each prompt, for commands cut off by
 * Ctrl-C.
 * - `x` runs when a command ends the shell (`exit`, `set -e`): prints a marker, and becomes a new shell in the same
 * place.
 *
 * Between commands the terminal does not echo: the echo of a long text could arrive after output of what it started.
 * Input that no program has read is discarded, since the shell would run it. Markers go to the terminal itself, since a
 * command may have redirected the shell's output (`exec >log`).
 */
function driver(nonce: string): string {
  const say = (kind: number, command: string, status: string) => (
    `printf '${INTRODUCER.replace('\u001b', '\\033')}${nonce};%s;${kind};%s;%s;${nonce}\\007' ${command} ${status} `
      + '"$PWD" >/dev/tty'
  )
  const calm = 'stty sane -echo; if [ -n "$BASH_VERSION" ]; then while read -t 0; '
    + 'do read -r -t 1 __hermes_r || break; done; '
    + 'else stty -icanon min 0 time 0; cat </dev/tty >/dev/null; stty sane -echo; fi'
  return [
    "PS1=; PS2=; unset HISTFILE MAILCHECK TMOUT; __hermes_c=; __hermes_o=; __hermes_s=0",
    'if [ -n "$BASH_VERSION" ]; then set +o history; set +H; fi',
    '__hermes_b() {',
    '__hermes_t=$(printf "%b_" "$__hermes_c"); __hermes_t=${__hermes_t%_}; __hermes_c=; __hermes_o=$1',
    'PROMPT_COMMAND=\'{ __hermes_e "$__hermes_o"; } 2>/dev/null\'',
    // Other shells have no PROMPT_COMMAND, and skip the rest of a line after a syntax error.
    '[ -n "$BASH_VERSION" ] || PS1=\'$({ __hermes_e "$__hermes_o"; } 2>/dev/null)\'', '{ stty echo; } 2>/dev/null',
    say(1, '"$1"', '0'), 'return "$__hermes_s"', '}',
    '__hermes_e() {',
    '__hermes_r=$?', RESET, 'if [ -z "$1" ] || [ "$__hermes_o" != "$1" ]; then return 0; fi',
    '__hermes_s=$__hermes_r; __hermes_o=', calm, say(2, '"$1"', '"$__hermes_s"'), '}',
    '__hermes_x() {',
    'trap - EXIT', RESET, '[ -n "$__hermes_o" ] || exit "$1"', calm, `${say(3, '"$__hermes_o"', '"$1"')} || exit "$1"`,
    '[ -n "$BASH" ] || exec sh -i 2>/dev/tty',
    'HERMES_FUNCTIONS=$(declare -f); if [ ${#HERMES_FUNCTIONS} -lt 65536 ]; then export HERMES_FUNCTIONS; fi',
    'exec "$BASH" --noprofile --norc --noediting -i 2>/dev/tty', '}',
    'if [ -n "$HERMES_FUNCTIONS" ]; then eval "$HERMES_FUNCTIONS"; unset HERMES_FUNCTIONS; fi',
    "trap '{ __hermes_x $?; } 2>/dev/null' EXIT",
    '{ stty sane -echo; } 2>/dev/null', say(0, '0', '0'),
  ].join('\n')
}

/** Text typed into a new shell; it answers with the marker `ready`. */
export function typedAtStart(nonce: string): string {
  return [
    '__hermes_c=', ...pieces(driver(nonce)).map(piece => `__hermes_c="$__hermes_c"'${piece}'`),
    'eval "$(printf "%b" "$__hermes_c")"',
  ].map(line => `${line}\n`).join('')
}

/** Output of a program before it read the text typed at the start, without the echo of that text. */
export function withoutTyped(printed: string): string {
  const lines = printed.split(/\r?\n/).filter(line => !/^.{0,2}__hermes_c=(?:.*')?$|^eval "\$\(printf/.test(line))
  // Output may be interleaved with the echo.
  return lines.map(line => line.replace(/^.*(?:\\0[0-7]{3}|__hermes_c"?'?)/, '')).join('\n')
}

/** Text typed to run a command: in the shell itself, not in a function, so that `declare` is not local. */
export function typedCommand(command: number, text: string): string {
  return ERASE_LINE + [
    // Clear the number, so that a prompt whose subshell reported the last command does not report it again.
    '__hermes_c=; __hermes_o=', ...pieces(text).map(piece => `__hermes_c="$__hermes_c"'${piece}'`),
    `__hermes_b ${command}; eval "$__hermes_t"; { __hermes_e ${command}; } 2>/dev/null`,
  ].map(line => `${line}\n`).join('')
}

/** Text typed to ask for the end of a command that seems to be over, and has not reported it. */
export function typedQuestion(command: number): string {
  return `${ERASE_LINE}(exit 130); { __hermes_e ${command}; } 2>/dev/null\n`
}

/** Encodes a text for `printf %b`, in lines short enough to type; nothing in it is special within single quotes. */
function pieces(text: string): string[] {
  let encoded = ''
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte)
    encoded += /[\w ./:=,+@-]/.test(character) ? character : `\\0${byte.toString(8).padStart(3, '0')}`
  }
  return encoded.match(new RegExp(`.{1,${MAX_TYPED - 40}}`, 'g')) ?? []
}
