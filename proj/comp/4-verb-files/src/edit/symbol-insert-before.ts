import { defineVerb } from '../../../0-contracts/src/index.js'
import { insertBeside } from './insert-beside.js'
import { SYMBOL_INSERT } from './symbol-schemas.js'

const VERB = 'symbol_insert_before'

/** Inserts lines before a declaration, found by its name. */
export const symbolInsertBefore = defineVerb({
  ...SYMBOL_INSERT,
  name: VERB,
  description: 'Put lines before the declaration of a class, function, method or variable: above its comment, '
    + 'decorators and attributes. They are indented as it is, with as many blank lines between as declarations have '
    + 'there. Lines that stand there already are not put in again.',
  examples: [{ path: 'src/sum.ts', symbol: 'sum', new_text: 'type Pair = [number, number]\n' }],
  handler: (args, context) => insertBeside(VERB, 'before', args, context),
})
