import * as v from 'valibot'

export const KIND_NAMES = ['class', 'method', 'function', 'variable'] as const

export const symbolKind = v.pipe(v.picklist(KIND_NAMES), v.description('What it is.'))
