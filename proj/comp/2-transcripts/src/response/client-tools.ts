import { isRecord, type ResponsePart } from '../../../0-contracts/src/index.js'
import { shellWord } from '../../../0-text/src/index.js'
import { defined, listOf, textOf } from '../fields.js'
import { idOf, malformedCall, unreadCall } from './parts.js'

/**
 * Converts client-side tools of OpenAI's Responses to verb calls. Source: openai-node 6,
 * `resources/responses/responses.ts` (`LocalShellCall`, `ResponseFunctionShellToolCall`, `ResponseApplyPatchToolCall`).
 */
export function clientToolParts(item: Record<string, unknown>): ResponsePart[] | undefined {
  const id = textOf(item['call_id']) ?? textOf(item['id'])
  switch (item['type']) {
    case 'local_shell_call': return [localShell(item, id)]
    case 'shell_call': return shell(item, id)
    case 'apply_patch_call': return [applyPatch(item, id)]
    default: return undefined
  }
}

/** `action: {type: "exec", command: [program, …], env, timeout_ms?, user?, working_directory?}` */
function localShell(item: Record<string, unknown>, id: string | undefined): ResponsePart {
  const { action } = item
  const words = isRecord(action) ? listOf(action['command']) : []
  if (!isRecord(action) || words.length === 0 || !words.every((word) => typeof word === 'string')) {
    return malformedCall('local_shell_call', item, id)
  }
  if (textOf(action['user'])) {
    return unreadCall('local_shell_call', item, { id, why: 'The local_shell_call is to run as another user' })
  }
  const { env } = action
  return command(commandLine(words), action['timeout_ms'], id, defined({
    working_directory: textOf(action['working_directory']) || undefined,
    env: isRecord(env) && Object.keys(env).length > 0 ? env : undefined,
  }))
}

/** The command line; a shell with a script is reduced to the script, since `execute_command` starts a shell. */
function commandLine(words: readonly string[]): string {
  const [program = '', flag = '', script] = words
  const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:bash|sh)$/.test(program) && /^-l?c$/.test(flag)
  return isShell && script !== undefined && words.length === 3 ? script : words.map(shellWord).join(' ')
}

/** `action: {commands: [line, …], timeout_ms?, max_output_length?}`: each line runs in a shell of its own. */
function shell(item: Record<string, unknown>, id: string | undefined): ResponsePart[] {
  const { action, environment } = item
  const lines = isRecord(action) ? listOf(action['commands']) : []
  if (!isRecord(action) || lines.length === 0 || !lines.every((line) => typeof line === 'string')) {
    return [malformedCall('shell_call', item, id)]
  }
  if (isRecord(environment) && environment['type'] !== 'local') {
    return [unreadCall('shell_call', item, { id, why: 'The shell_call is for a container of the service' })]
  }
  return lines.map((line, index) => command(line, action['timeout_ms'], commandId(id, index, lines.length)))
}

/** Id of one of several commands of a call. */
export function commandId(id: string | undefined, index: number, count: number): string | undefined {
  return id === undefined || count === 1 ? id : `${id}-${index + 1}`
}

function command(
  line: string, timeoutMs: unknown, id: string | undefined, more: Record<string, unknown> = {},
): ResponsePart {
  const timeout = typeof timeoutMs === 'number' ? { timeout_seconds: Math.max(1, Math.ceil(timeoutMs / 1000)) } : {}
  return { type: 'call', ...idOf(id), name: 'execute_command', arguments: { command: line, ...more, ...timeout } }
}

const SECTIONS: Readonly<Record<string, string>> = {
  create_file: 'Add File', update_file: 'Update File', delete_file: 'Delete File',
}

/** `operation: {type, path, diff}`: a patch of one file; the diff is V4A without its frame. */
function applyPatch(item: Record<string, unknown>, id: string | undefined): ResponsePart {
  const operation = isRecord(item['operation']) ? item['operation'] : {}
  const section = SECTIONS[textOf(operation['type']) ?? '']
  const path = textOf(operation['path'])
  const diff = textOf(operation['diff']) ?? (section === SECTIONS['delete_file'] ? '' : undefined)
  if (section === undefined || path === undefined || diff === undefined || /[\r\n]/.test(path)) {
    return malformedCall('apply_patch_call', item, id)
  }
  // The operation names its only file.
  const marker = diff.split('\n').find((line) => line.startsWith('*** ') && !line.startsWith('*** End of File'))
  if (marker !== undefined) {
    return unreadCall('apply_patch_call', item, { id, why: `The diff of the apply_patch_call has a marker: ${marker}` })
  }
  const body = diff === '' ? '' : `${diff.replace(/\n$/, '')}\n`
  const patch = `*** Begin Patch\n*** ${section}: ${path}\n${body}*** End Patch\n`
  return { type: 'call', ...idOf(id), name: 'apply_patch', arguments: { patch } }
}
