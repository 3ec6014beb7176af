/**
 * A record of a trial of replay: its calls name the transcript in their content,
 * so that a result of another one would be seen.
 */
export function transcript(index) {
  const content = `transcript ${index} ${'x'.repeat(500)}`
  const call = (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
  const response = (data) => `<tool_response>${JSON.stringify({ success: true, data })}</tool_response>`
  return { conversations: [
    { from: 'gpt', value: `${call('fs.writeFile', { path: 'a', content })}\n${call('fs.readFile', { path: 'a' })}` },
    { from: 'tool', value: `${response({})}\n${response({ content })}` },
  ] }
}
