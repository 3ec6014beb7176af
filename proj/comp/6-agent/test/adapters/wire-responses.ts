import { badName, halves, type Body, type Turn, type Wire } from './wire.js'

interface Item {
  type?: string
  role?: string
  call_id?: string
}

/** OpenAI's Responses. Each turn of this model ends with an item `reasoning`, so that turns can be counted. */
export const responsesWire: Wire = {
  problem(body) {
    const tools = (body.tools ?? []) as { name: string; strict?: boolean }[]
    const calls = itemsOf(body).filter(({ type }) => type === 'function_call').map((item) => item.call_id)
    const answers = itemsOf(body).filter(({ type }) => type === 'function_call_output').map((item) => item.call_id)
    if (JSON.stringify(calls) !== JSON.stringify(answers)) return `Calls ${calls.join()} have answers ${answers.join()}`
    return badName(tools.map(({ name }) => name))
  },
  turns: (body) => itemsOf(body).filter(({ type }) => type === 'reasoning').length,
  whole: (turn) => response(turn, turn.isCut ? 'incomplete' : 'completed', outputOf(turn)),
  stream(turn) {
    const output = outputOf(turn)
    const events: object[] = [{ type: 'response.created', response: response(turn, 'in_progress', []) }]
    for (const [index, item] of output.entries()) {
      const place = { output_index: index, item_id: item['id'] }
      const args = item['arguments']
      const started = typeof args === 'string' ? { ...item, arguments: '', status: 'in_progress' } : item
      events.push({ type: 'response.output_item.added', output_index: index, item: started })
      if (typeof args === 'string') {
        for (const delta of halves(args)) events.push({ type: 'response.function_call_arguments.delta', ...place, delta })
        events.push({ type: 'response.function_call_arguments.done', ...place, arguments: args })
      }
      events.push({ type: 'response.output_item.done', output_index: index, item })
    }
    const end = turn.isCut ? 'incomplete' : 'completed'
    events.push({ type: `response.${end}`, response: response(turn, end, output) })
    return events.map((event, sequence_number) => (
      `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`
    ))
  },
}

function itemsOf(body: Body): Item[] {
  return body.input as Item[]
}

function outputOf({ thought, text, calls = [] }: Turn): Record<string, unknown>[] {
  const message = text === undefined ? [] : [{
    type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }],
  }]
  const called = calls.map(({ id, name, arguments: args }) => (
    { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: args, status: 'completed' }
  ))
  // First: what comes last is what a limit cuts.
  return [{
    type: 'reasoning', id: 'rs_1', encrypted_content: 'opaque',
    summary: thought === undefined ? [] : [{ type: 'summary_text', text: thought }],
  }, ...message, ...called]
}

function response(turn: Turn, status: string, output: object[]): object {
  return {
    id: 'resp_1', object: 'response', created_at: 1, model: 'test', status, output, error: null, parallel_tool_calls: true,
    incomplete_details: turn.isCut ? { reason: 'max_output_tokens' } : null, tools: [], tool_choice: 'auto', metadata: {},
  }
}
