import { shownName } from '../../../../0-text/src/index.js'
import type { KnownCommands } from './known-commands.js'

const MOST_NAMED = 5

/** What commands may have done that nobody has seen, and what of the rest cannot be put back: one line each. */
export function notesOn({ repository, before, repositories, isHeadMoved, first, last }: KnownCommands): string[] {
  const others = [...new Set([...before.others, ...repositories.map((path) => `${path}/`)])].filter((path) =>
    path.endsWith('/'))
  const ignored = before.ignored.filter((path) => !/(?:^|\/)\.hermes\//.test(path))
  return [
    ...(isHeadMoved ? [`HEAD was moved by a command, from ${short(first.head)} to ${short(last.head)}: that stays, `
      + 'with the files it brought'] : []),
    ...(repositories.length > 0
      ? [`Changed by a command, and not put back since they are repositories of their own: ${named(repositories)}`]
      : []),
    'Commands ran: files are put back as far as git knows them; what commands did '
      + `to ignored files${inBrackets(ignored)}, to submodules and repositories of their own${inBrackets(others)}, `
      + `or outside of ${repository.top} is not known, and stays`,
  ]
}

function short(commit: string | undefined): string {
  return commit?.slice(0, 12) ?? 'no commit'
}

function inBrackets(paths: readonly string[]): string {
  return paths.length === 0 ? '' : ` (${named(paths)})`
}

function named(paths: readonly string[]): string {
  const rest = paths.length - MOST_NAMED
  return `${paths.slice(0, MOST_NAMED).map(shownName).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
