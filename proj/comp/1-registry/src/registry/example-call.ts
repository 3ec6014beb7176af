import { dump } from 'js-yaml'
import type { AnyVerb, BlockFormat } from '../../../0-contracts/src/index.js'
import { shamBlock } from './sham-block.js'

/** A call as models write it: clada's verbs as SHAM blocks, Hermes verbs as envelopes, core tools as tool calls. */
export function exampleCall({ name, vocabulary }: AnyVerb, args: Record<string, unknown>): string {
  return callText(FORMAT_OF[vocabulary], 'abc', name, args)
}

const FORMAT_OF = { clada: 'sham', hermes: 'envelope', core: 'tool_call' } as const

/** A call in the format of another one; edit formats call no verb by name. @param id of a SHAM block */
export function callText(format: BlockFormat, id: string, name: string, args: Record<string, unknown>): string {
  switch (format) {
    case 'sham':
    case 'nesl': return shamBlock(id, name, args)
    case 'envelope': {
      const envelope = dump({ verb: name, arguments: args }, { lineWidth: 100, noRefs: true })
      return `\`\`\`yaml hermes\n${envelope}\`\`\``
    }
    default: return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
  }
}
