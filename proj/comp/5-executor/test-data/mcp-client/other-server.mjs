/**
 * A server that is none of hermes', written with the SDK: over standard input and output, or with --http over HTTP on a
 * free port that it prints. What it is asked for is logged to the file in CALLS.
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const log = (line) => {
  if (process.env.CALLS) appendFileSync(process.env.CALLS, `${line}\n`)
}
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const object = (properties, required = Object.keys(properties)) => fromJsonSchema({ type: 'object', properties, required })

function createOther() {
  const server = new McpServer({ name: 'other', version: '3.1.4' }, { capabilities: { tools: { listChanged: true } } })
  server.registerTool('echo', {
    description: 'Says it again.', inputSchema: object({ text: { type: 'string' } }), annotations: { readOnlyHint: true },
  }, ({ text: said }) => {
    log(`echo ${said}`)
    return text(said)
  })
  server.registerTool('add', {
    description: 'Adds two whole numbers.',
    inputSchema: fromJsonSchema({
      type: 'object', properties: { a: { type: 'integer', maximum: 100 }, b: { type: 'integer' }, tags: { type: 'array' } }, required: ['a', 'b'],
      additionalProperties: false,
    }),
    outputSchema: object({ sum: { type: 'integer' } }),
  }, ({ a, b }) => {
    log(`add ${a} ${b}`)
    return { ...text(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }
  })
  server.registerTool('fail', { description: 'Fails.' }, () => ({ ...text('the disk is on fire'), isError: true }))
  server.registerTool('picture', { description: 'An image.' }, () => ({
    content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, { type: 'text', text: 'a dot' }],
  }))
  server.registerTool('secret', { description: 'Tells what it was given.' }, () => text(`token ${process.env.OTHER_TOKEN}, cwd ${process.cwd()}`))
  server.registerTool('write', { description: 'Writes a file.', inputSchema: object({ name: { type: 'string' } }) }, ({ name }) => {
    writeFileSync(name, 'by the other server\n')
    return text('written')
  })
  server.registerTool('wait', { description: 'Never answers.' }, (ctx) => new Promise((resolve) => {
    log('wait')
    ctx.mcpReq.signal.addEventListener('abort', () => {
      log('cancelled')
      resolve(text(''))
    })
  }))
  server.registerTool('die', { description: 'Ends the server.' }, () => {
    process.stderr.write('out of cheese\n')
    process.exit(3)
  })
  server.registerTool('grow', { description: 'Adds a tool.' }, () => {
    server.registerTool('grown', { description: 'Was not there before.' }, () => text('new'))
    return text('grown')
  })
  return server
}

log(`start ${process.pid}`)
if (process.argv.includes('--broken')) {
  process.stderr.write('cannot find my settings\n')
  process.exit(1)
} else if (process.argv.includes('--silent')) process.stdin.resume()
else if (process.argv.includes('--http')) {
  const handler = createMcpHandler(createOther)
  createServer(async (request, response) => {
    log(`${request.method} ${request.headers['x-api-key'] ?? 'no key'}`)
    const body = []
    for await (const chunk of request) body.push(chunk)
    const answer = await handler.fetch(new Request(`http://localhost${request.url}`, {
      method: request.method, headers: request.headers, ...(body.length > 0 && { body: Buffer.concat(body) }),
    }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  }).listen(0, '127.0.0.1', function listening() {
    process.stdout.write(`${this.address().port}\n`)
  })
} else serveStdio(createOther, process.argv.includes('--modern') ? { legacy: 'reject' } : {})
