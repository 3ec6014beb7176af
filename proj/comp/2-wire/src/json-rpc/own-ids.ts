import { Message } from 'vscode-jsonrpc/node'

/** `vscode-jsonrpc` counts our requests from 0; on the wire they count from 1, as seed 001 shows them. */
const FIRST = 1

/** What we send, with the ids of the wire. */
export function toWire(message: Message): Message {
  if (Message.isRequest(message) && typeof message.id === 'number') {
    return { ...message, id: message.id + FIRST } as Message
  }
  if (!Message.isNotification(message) || message.method !== '$/cancelRequest') return message
  const { id } = message.params as { id: number }
  return { ...message, params: { id: id + FIRST } } as Message
}

/** The id of an answer to us, as the dispatcher counts. */
export function fromWire(id: number | string): number | string {
  return typeof id === 'number' ? id - FIRST : id
}
