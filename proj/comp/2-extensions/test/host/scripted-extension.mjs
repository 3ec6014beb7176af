/**
 * An extension that follows a script of steps, one JSON value a line of the file given, and writes each message that it
 * receives to the file given second. Plain Node, so that it can be wrong in every way.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'

const [script, log] = process.argv.slice(2)
const steps = readFileSync(script, 'utf8').split('\n').filter(line => line.trim() !== '').map(line => JSON.parse(line))
const received = []
const held = []
let awaited = () => undefined
/** Ids of the host's requests, by method. */
const ids = new Map()

let input = Buffer.alloc(0)
process.stdin.on('data', (piece) => {
  input = Buffer.concat([input, piece])
  for (;;) {
    const end = input.indexOf('\r\n\r\n')
    const length = end === -1 ? NaN : Number(/Content-Length: (\d+)/.exec(input.subarray(0, end).toString())?.[1])
    if (!(input.length >= end + 4 + length)) return
    const text = input.subarray(end + 4, end + 4 + length).toString()
    input = input.subarray(end + 4 + length)
    appendFileSync(log, `${text}\n`)
    const message = JSON.parse(text)
    if (message.method !== undefined && message.id !== undefined) ids.set(message.method, message.id)
    received.push(message)
    awaited()
  }
})
process.stdin.on('end', () => {
  appendFileSync(log, '"end of input"\n')
  received.push({ method: 'end' })
  awaited()
})

async function arrival(wanted) {
  const fits = message => (typeof wanted === 'string' ? message.method === wanted : message.method === undefined && message.id === wanted.id)
  while (!received.some(fits)) await new Promise((resolve) => { awaited = resolve })
  received.splice(received.findIndex(fits), 1)
}

const write = text => new Promise(resolve => process.stdout.write(text, resolve))
const frame = message => `Content-Length: ${Buffer.byteLength(JSON.stringify(message))}\r\n\r\n${JSON.stringify(message)}`

for (const step of steps) {
  if (step.await !== undefined) await arrival(step.await)
  else if (step.answer !== undefined) {
    const { answer, ...outcome } = step
    await write(frame({ jsonrpc: '2.0', id: ids.get(answer), ...outcome }))
  } else if (step.send !== undefined) await write(frame({ jsonrpc: '2.0', ...step.send }))
  else if (step.raw !== undefined) for (let i = 0; i < (step.times ?? 1); i++) await write(step.raw)
  else if (step.flood !== undefined) await write(Buffer.alloc(step.flood, 'x'))
  else if (step.hold !== undefined) held.push(Buffer.alloc(step.hold, 1))
  else if (step.log !== undefined) process.stderr.write(step.log)
  else if (step.ignore !== undefined) process.on(step.ignore, () => undefined)
  else if (step.close !== undefined) process.stdout.end(() => process.stdout.destroy())
  else if (step.child !== undefined) {
    // One that leaves the group when it is `detached`; it lives for a minute.
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: step.child === 'detached', stdio: 'inherit' })
    appendFileSync(`${log}.pids`, `${child.pid}\n`)
    child.unref()
  } else if (step.exit !== undefined) process.exit(step.exit)
  else if (step.kill !== undefined) process.kill(process.pid, step.kill)
}
// The script is over; it lives on until it is ended.
setInterval(() => undefined, 60_000)
