import { listOf } from './list-of.js'

/** `apply_patch <<'EOF'`. */
const FIRST_LINE = /^(?<program>\S+)\s*<<\s*(?<quote>['"]?)(?<word>\w+)\k<quote>$/

/**
 * The text that a shell command hands to a program by a heredoc, where that is all the command does. A command is a
 * text, or a list whose last element is one.
 */
export function hereText(command: unknown, program: string): string | undefined {
  const written = listOf(command)?.at(-1) ?? command
  if (typeof written !== 'string') return undefined
  const [first = '', ...lines] = written.trim().split('\n')
  const groups = FIRST_LINE.exec(first.trimEnd())?.groups
  if (!groups || groups['program'] !== program) return undefined
  // Behind the delimiter the shell would go on.
  if (lines.indexOf(groups['word'] ?? '') !== lines.length - 1) return undefined
  const body = lines.slice(0, -1).join('\n')
  // Without quotes the shell would put in variables and commands.
  return groups['quote'] === '' && /[$`\\]/.test(body) ? undefined : body
}
