/** What the verbs that read source code have in common. */
export const CODE_ANALYSIS = { vocabulary: 'core', category: 'code_analysis', type: 'read' } as const
