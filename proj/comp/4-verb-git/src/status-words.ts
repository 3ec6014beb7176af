import type { StatusEntry } from '../../2-git/src/index.js'

/** What each letter of git means. */
const CHANGES: Readonly<Record<string, Change>> = {
  M: 'modified', A: 'added', D: 'deleted', R: 'renamed', C: 'copied', T: 'type_changed',
}
const CONFLICTS: Readonly<Record<string, Conflict>> = {
  DD: 'both_deleted', AU: 'added_by_us', UD: 'deleted_by_them', UA: 'added_by_them', DU: 'deleted_by_us',
  AA: 'both_added', UU: 'both_modified',
}

export const CHANGE_WORDS = ['modified', 'added', 'deleted', 'renamed', 'copied', 'type_changed'] as const
export const CONFLICT_WORDS = [
  'both_deleted', 'added_by_us', 'deleted_by_them', 'added_by_them', 'deleted_by_us', 'both_added', 'both_modified',
] as const

export type Change = (typeof CHANGE_WORDS)[number]
export type Conflict = (typeof CONFLICT_WORDS)[number]

/** `undefined` where there is no change. */
export function changeWord(letter: string): Change | undefined {
  return CHANGES[letter]
}

export function conflictWord({ index, workTree }: StatusEntry): Conflict {
  return CONFLICTS[index + workTree] ?? 'both_modified'
}
