import type { ReplayedRewrite } from '../replay-model.js'

/** Who changed an answer, on one line: `turn 1: tidy 1.2 (clean), undone`. */
export function rewriteWords(
  { turn, extension, version, command, undone, isNew }: ReplayedRewrite,
): string {
  const who = version === undefined ? extension : `${extension} ${version}`
  return `turn ${turn}: ${who} (${command})${undone ? ', undone' : ''}${isNew ? ', in this replay' : ''}`
}
