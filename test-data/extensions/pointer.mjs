// Rewrites paths of the answer; plain Node, by the protocol alone. With `silent` it tells the end of no command, with `late` it asks for a change as it is ended.
const announces = process.argv[2] !== 'silent'
let input = Buffer.alloc(0)
let id = 0
const waiting = new Map()
const send = message => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
const ask = (method, params) => new Promise((resolve, reject) => {
  waiting.set(++id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)))
  send({ id, method, params })
})
const commands = {
  async point() {
    const { message } = await ask('editor/getMessage', {})
    await ask('editor/setMessage', { message: message.replaceAll('/old/', '/w/') })
  },
  async ask() {
    const { confirmed } = await ask('ui/showConfirm', { message: 'Point to /w?' })
    if (confirmed) await commands.point()
    return confirmed ? 'pointed' : 'left alone'
  },
  async greet() { await ask('ui/showMessage', { message: 'Hello \u001b[31mred', title: 'Greeting', kind: 'warning' }) },
  async escape() {
    const { path } = await ask('ui/saveFile', {})
    const { message } = await ask('editor/getMessage', {})
    await ask('editor/setMessage', { message: message.replaceAll('/old/a.txt', path) })
  },
  die() { process.stderr.write('no memory\n'); process.exit(7) },
  fail() { throw new Error('no such thing') },
}
process.stdin.on('end', () => process.exit(1)).on('data', async piece => {
  input = Buffer.concat([input, piece])
  for (;;) {
    const end = input.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = Number(/\d+/.exec(input.subarray(0, end).toString())[0])
    if (input.length < end + 4 + length) return
    const message = JSON.parse(input.subarray(end + 4, end + 4 + length).toString())
    input = input.subarray(end + 4 + length)
    if (message.method === 'initialize') send({ id: message.id, result: { name: 'pointer', version: '1.2', description: 'Points elsewhere', capabilities: { commands: Object.keys(commands), commandFinished: announces } } })
    else if (message.method === 'shutdown') {
      if (process.argv[2] === 'late') send({ id: ++id, method: 'editor/setMessage', params: { message: 'late' } })
      send({ id: message.id, result: null }); process.stdin.pause()
    }
    else if (message.method === 'command/execute') {
      const { command, executionId } = message.params
      Promise.resolve().then(commands[command]).then(said => ({ message: said }), error => ({ success: false, message: error.message }))
        .then(outcome => announces && send({ method: 'command/finished', params: { executionId, ...outcome } }))
    } else waiting.get(message.id)?.(message)
  }
})
