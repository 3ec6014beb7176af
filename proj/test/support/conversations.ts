/** A ShareGPT conversation, on one line, whose only call has the result given. */
export function conversation(call: { name: string; arguments: object }, result: object | string): string {
  return JSON.stringify({ conversations: [
    { from: 'gpt', value: `<tool_call>${JSON.stringify(call)}</tool_call>` },
    { from: 'tool', value: `<tool_response>${typeof result === 'string' ? result : JSON.stringify(result)}</tool_response>` },
  ] })
}

/** One that reads a file. */
export function reads(path: string, result: object | string): string {
  return conversation({ name: 'fs.readFile', arguments: { path } }, result)
}

/** The result of reading a file. */
export function content(text: string): object {
  return { success: true, data: { content: text } }
}
