import * as v from 'valibot'
import { described } from '../../../0-contracts/src/index.js'

export const KIND_NAMES = ['class', 'method', 'function', 'variable'] as const

export const symbolKind = described(v.picklist(KIND_NAMES), 'What it is.')
