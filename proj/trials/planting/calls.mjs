/** What hermes is asked to do while it is traced: every verb, and the commands. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

const FAMILIES = {
  files: /^(?:file|edit|directory|file_operations)$/, finding: /^(?:search|code_analysis)$/,
  running: /^(?:execution|terminal|code_execution)$/, git: /^version_control$/,
}
/** In a project with these files they succeed. */
const WORKING = [
  ['search_files', { query: 'greet', path: 'greet.ts' }],
  ['get_definition', { file_path: 'greet.ts', line: 2, column: 2 }],
  ['find_symbol', { symbol_name: 'greet' }], ['semantic_search', { query: 'how people are greeted' }],
  ['terminal_run', { command: 'echo hello' }], ['sys.machineInfo', {}], ['proc.run', { executable: 'true', args: [] }],
  ['execute_command', { command: 'canary-by-path; echo done > done.txt' }], ['git_status', {}], ['git_diff', {}],
  ['git_log', {}], ['fs.writeFile', { path: 'written.txt', content: 'text\n' }], ['mcp.other.echo', { text: 'hello' }],
  ['skill_view', { name: 'greeting' }], ['git_commit', { message: 'a commit', all: true }],
]

/**
 * @param {import('./stage.mjs').Stage} stage
 * @param {string} model address of the scripted model
 * @returns {Record<string, import('./play.mjs').Step[]>} by name
 */
export function callsOf(stage, model) {
  const { allowed, outside, home, laidOut: { command: hermes, cwd } } = stage
  const file = (name, content) => {
    writeFileSync(join(outside, name), content)
    return join(outside, name)
  }
  const working = file('working.md', answer(WORKING))
  const small = file('small.md', answer([['fs.writeFile', { path: 'small.txt', content: 'text\n' }]]))
  const command = file('command.md', answer([['execute_command', { command: 'canary-by-path' }]]))
  const slow = file('slow.md', answer([
    ['fs.writeFile', { path: 'slow.txt', content: 'text\n' }],
    ['execute_command', { command: 'touch began; sleep 60' }],
  ]))
  file('prompts.jsonl', '{"prompt": "Do it."}\n')
  const flags = ['--yes', '--allow', allowed]
  const agent = ['--model', 'scripted', '--base-url', model, '--yes']
  const alone = (...args) => [{ args }]
  const verbs = Object.fromEntries(Object.entries(byFamily(hermes, stage.env, cwd)).map(([family, calls]) => (
    [`verbs: ${family}`, alone('apply', file(`${family}.md`, answer(calls)), ...flags, '--root-alias', '/workspace')]
  )))
  const commands = [
    'doctor', 'log --verify', 'undo', 'redo', 'step-back', 'squash', 'status', 'version', 'update --check',
    'tools doctor',
    'tools list --mcp', 'skills list', 'skills check', 'config show', 'config check', 'config edit --project',
    'config migrate --yes', 'init --yes', 'completion bash', 'cron list', 'ext list', 'recover',
    'ext run tidy', `parse ${small}`, `apply ${small} --clipboard --yes`, `apply ${small} --dry-run`,
    `apply ${small} --extension tidy:mend`,
    `apply ${small} --report ${outside}/report.html --record ${outside}/run.jsonl`,
    `apply ${small} --atomic --durable`, `replay ${small} --fixture . --workers 2`, `watch ${small} --once --existing`,
  ]
  return {
    'apply, everything that works': alone('apply', working, ...flags),
    'apply, in unshare': alone('apply', command, ...flags, '--sandbox', 'unshare'),
    ...verbs,
    ...Object.fromEntries(commands.map((line) => [line.replaceAll(`${outside}/`, ''), alone(...line.split(' '))])),
    'step-back and step-forward': [{ args: ['step-back'] }, { args: ['step-forward'] }],
    'exec': [{ args: ['exec', ...flags], input: '{"verb": "execute_command", "arguments": {"command": "true"}}' }],
    'interactive': [{ args: ['interactive', ...flags], input: answer(WORKING.slice(0, 2)) }],
    'recover, after a kill': [
      { args: ['apply', slow, ...flags], untilFile: join(cwd, 'began'), signal: 'SIGKILL' }, { args: ['recover'] },
    ],
    'cron add and run': [
      { args: ['cron', 'add', '@hourly', '--answer', small, '--name', 'job'] }, { args: ['cron', 'run', 'job'] },
    ],
    'chat': alone('chat', '-q', 'Do it.', ...agent),
    'batch': alone('batch', join(outside, 'prompts.jsonl'), '--out', join(home, 'batch'), ...agent),
    'mcp': [mcp(flags)],
    'serve': [serve(cwd)],
    'review': [review(small)],
    'log, as users start it': [{ args: ['log'], byUser: true }],
    'apply, as users start it': [{ args: ['apply', command, ...flags], byUser: true }],
  }
}

/** The examples that verbs have, all that there are. */
function byFamily(hermes, env, cwd) {
  const listed = execFileSync(process.execPath, [hermes, 'tools', 'list', '--json'], { cwd, env, encoding: 'utf8' })
  const families = {}
  for (const { name, category, examples = [] } of JSON.parse(listed)) {
    const family = Object.keys(FAMILIES).find((one) => FAMILIES[one].test(category)) ?? 'session'
    for (const example of examples.slice(0, 1)) (families[family] ??= []).push([name, example])
  }
  return families
}

export function answer(calls) {
  return calls.map(([verb, args], index) => (
    `\`\`\`json hermes\n${JSON.stringify({ id: `b${index}`, verb, arguments: args })}\n\`\`\`\n`
  )).join('\n')
}

function mcp(flags) {
  const tool = (id, name, args) => ({ id, method: 'tools/call', params: { name, arguments: args } })
  const messages = [
    { id: 1, method: 'initialize', params: {
      protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'trial', version: '1' },
    } },
    { method: 'notifications/initialized' }, { id: 2, method: 'tools/list' },
    tool(3, 'execute_command', { command: 'true' }), tool(4, 'search_files', { query: 'greet' }),
    tool(5, 'write_file', { path: 'mcp.txt', content: 'text\n' }),
  ]
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
  return { args: ['mcp', ...flags], input, until: /"id":5\b/ }
}

function serve(workspaceRoot) {
  const text = answer(WORKING.slice(0, 6))
  const input = [
    { id: 1, method: 'initialize', params: { workspaceRoot } }, { id: 2, method: 'execute', params: { text } },
    { id: 3, method: 'shutdown' },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
    .map((body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`).join('')
  return { args: ['serve'], input, until: /"id":3\b/ }
}

/** The page is opened, and its one block run from there. */
function review(small) {
  return {
    args: ['review', small, '--no-open'], until: /127\.0\.0\.1:\d+\/#\S+/, signal: 'SIGINT',
    async visit(printed) {
      const [, port, token] = /127\.0\.0\.1:(\d+)\/#([\w-]+)/.exec(printed)
      const ask = (path, body) => new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const sent = request(
          { host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', headers }, (response) => resolve(response),
        )
        sent.on('error', reject)
        sent.end(body && JSON.stringify(body))
      })
      ;(await ask('/')).resume()
      let seen = ''
      let isAsked = false
      for await (const chunk of await ask('/api/events')) {
        seen += chunk
        const [, revision] = /"revision":(\d+)/.exec(seen) ?? []
        if (!isAsked && revision !== undefined) {
          ;(await ask('/api/messages', { type: 'run', revision: Number(revision) })).resume()
          isAsked = true
        }
        if (seen.includes('"phase":"ran"')) break
      }
    },
  }
}
