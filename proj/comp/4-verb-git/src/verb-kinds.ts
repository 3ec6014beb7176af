/** What the verbs that look at a repository have in common. */
export const READS_GIT = {
  vocabulary: 'core',
  category: 'version_control',
  type: 'read',
  requires: { programs: ['git'] },
  primary: 'path',
} as const

/** What the verbs that rewrite the history of a repository have in common. */
export const USERS_GIT = {
  vocabulary: 'clada',
  category: 'version_control',
  type: 'git',
  requires: { programs: ['git'] },
  accessibility: ['user'],
} as const
