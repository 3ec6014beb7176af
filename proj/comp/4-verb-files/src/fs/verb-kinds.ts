/** What the verbs that change a file have in common. */
export const CLADA_WRITE = { vocabulary: 'clada', category: 'file', type: 'write' } as const

/** The same of Hermes' verbs. */
export const HERMES_WRITE = { vocabulary: 'hermes', category: 'file', type: 'write' } as const

/** What Hermes' verbs that look at a file have in common. */
export const HERMES_READ = { vocabulary: 'hermes', category: 'file', type: 'read', primary: 'path' } as const
