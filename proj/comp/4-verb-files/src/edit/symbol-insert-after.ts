import { defineVerb } from '../../../0-contracts/src/index.js'
import { insertBeside } from './insert-beside.js'
import { SYMBOL_INSERT } from './symbol-schemas.js'

const VERB = 'symbol_insert_after'

/** Inserts lines after a declaration, found by its name. */
export const symbolInsertAfter = defineVerb({
  ...SYMBOL_INSERT,
  name: VERB,
  description: 'Put lines after the declaration of a class, function, method or variable. They are indented as it is, '
    + 'with as many blank lines between as declarations have there. Lines that stand there already are not put in '
    + 'again.',
  examples: [{ path: 'src/server.py', symbol: 'Server.start', new_text: 'def stop(self):\n    self.socket.close()\n' }],
  handler: (args, context) => insertBeside(VERB, 'after', args, context),
})
