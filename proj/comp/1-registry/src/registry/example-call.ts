import { dump } from 'js-yaml'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { shamBlock } from './sham-block.js'

/** A call as models write it: clada's verbs as SHAM blocks, Hermes verbs as envelopes, core tools as tool calls. */
export function exampleCall({ name, vocabulary }: AnyVerb, args: Record<string, unknown>): string {
  switch (vocabulary) {
    case 'clada': return shamBlock('abc', name, args)
    case 'hermes': {
      const envelope = dump({ verb: name, arguments: args }, { lineWidth: 100, noRefs: true })
      return `\`\`\`yaml hermes\n${envelope}\`\`\``
    }
    case 'core': return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
  }
}
