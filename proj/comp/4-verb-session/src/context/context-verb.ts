/** What the verbs of the context have in common. */
export const CONTEXT = {
  vocabulary: 'clada',
  category: 'context',
  type: 'meta',
  accessibility: ['llm', 'user'],
} as const
