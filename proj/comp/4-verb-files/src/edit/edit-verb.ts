/** What the verbs that edit files have in common. */
export const EDIT = { vocabulary: 'clada', category: 'edit', type: 'write' } as const
