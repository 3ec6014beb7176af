import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isRecord } from '../../../0-contracts/src/index.js'
import type { Sdk } from './load-client-sdk.js'

/**
 * Leaves tools out of a server's list that are not as the protocol has them: else one would cost all of them.
 *
 * @param left is told how many of a list were left out
 */
export function leaveOutBadTools(transport: Transport, { isSpecType }: Sdk, left: (count: number) => void): void {
  let handler: Transport['onmessage']
  const filtered = (message: JSONRPCMessage): JSONRPCMessage => {
    const result: unknown = 'result' in message ? message.result : undefined
    if (!('result' in message) || !isRecord(result) || !Array.isArray(result['tools'])) return message
    const { tools } = result as { tools: unknown[] }
    const usable = tools.filter((tool) => isSpecType.Tool(tool))
    left(tools.length - usable.length)
    return usable.length === tools.length ? message : { ...message, result: { ...message.result, tools: usable } }
  }
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => handler,
    set: (given: Transport['onmessage']) => {
      handler = given && ((message, extra) => given(filtered(message), extra))
    },
  })
}
