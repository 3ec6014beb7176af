import { clip, escapeControls } from '../../../0-text/src/index.js'
import { stateOnDisk } from './file-effects.js'
import type { ContentState, Plan, PlannedFile } from './plan-schema.js'

/** Most differences named of each kind. */
const MOST_NAMED = 20

/** How what would happen now differs from the plan, one line each; empty where nothing does. */
export function differences(plan: Plan, now: Plan): string[] {
  return [
    ...changedFlags(plan, now),
    ...(plan.answer.sha256 === now.answer.sha256 ? [] : ['the answer is not the one that the plan was made of']),
    ...changedPolicy(plan, now),
    ...bounded(changedFiles(plan, now)),
    ...bounded(changedList('block', plan.blocks, now.blocks, ({ id, action, success, code = 'failed' }) =>
      `${id} ${action}: ${success ? 'succeeds' : code}`)),
    ...bounded(
      changedList('parse error', plan.parseErrors, now.parseErrors, ({ code, line }) => `${code} in line ${line}`),
    ),
    ...bounded(changedList('hook', plan.hooks, now.hooks, ({ on, name, command, timeoutMs, continueOnError }) => (
      `${on} ${name}: ${clip(command, 200)}${timeoutMs === undefined ? '' : ` (time_limit ${timeoutMs} ms)`}`
        + (continueOnError ? ' (continue_on_error)' : '')
    ))),
  ].map((line) => escapeControls(line))
}

/** Files whose content after the run differs from the plan; files whose content the plan does not know are left out. */
export function unlikePlan({ files }: Plan): string[] {
  return files.filter(({ path, after }) => after !== 'unknown' && stateOnDisk(path) !== after).map(({ path }) => path)
}

function changedFlags({ root, opened, reading }: Plan, now: Plan): string[] {
  const inForce = Object.entries({ root, ...opened, ...reading })
  const others: Record<string, unknown> = { root: now.root, ...now.opened, ...now.reading }
  return inForce.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(others[name]))
    .map(([name, value]) => {
    const flag = FLAGS[name] ?? name
    return `the plan was made with ${flag} ${words(value)}, now it is ${words(others[name])}`
  })
}

const FLAGS: Readonly<Record<string, string>> = {
  root: '--root', allow: '--allow', sandbox: '--sandbox', network: '--network', timeoutMs: '--timeout (ms)',
  rootAliases: '--root-alias',
  relativePaths: '--relative-paths', toolsets: '--toolset', editFormats: '--edit-format', mapping: '--mapping',
  match: '--match',
  startsInThink: '--starts-in-think', atomic: '--atomic', gitCommit: 'commits (--no-git)', hooks: 'hooks (--no-hooks)',
}

function words(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return 'not given'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function changedPolicy({ policy }: Plan, { policy: now }: Plan): string[] {
  const names = [...new Set([...Object.keys(policy), ...Object.keys(now)])].sort()
  const of = (fields: Record<string, string[]>, name: string): string =>
    (Object.hasOwn(fields, name) ? fields[name] ?? [] : []).join(', ') || 'not set'
  return names.filter((name) => of(policy, name) !== of(now, name))
    .map((name) => `the policy: ${name} was ${clip(of(policy, name), 200)}, is ${clip(of(now, name), 200)}`)
}

function changedFiles({ files }: Plan, { files: now }: Plan): string[] {
  const current = new Map(now.map((file) => [file.path, file]))
  const known = new Set(files.map(({ path }) => path))
  return [
    ...files.flatMap((file) => changedFile(file, current.get(file.path))),
    ...now.filter(({ path }) => !known.has(path))
      .map(({ path }) => `${path} would be changed, which the plan does not show`),
  ]
}

function changedFile({ path, before, after }: PlannedFile, now: PlannedFile | undefined): string[] {
  const here = now?.before ?? stateOnDisk(path)
  if (here !== before) return [`${path} ${moved(before, here)} since the plan was made`]
  if (now === undefined) return [`${path} would not be changed any more`]
  return now.after === after ? [] : [`${path} would get other content than the plan shows`]
}

function moved(before: ContentState, now: ContentState): string {
  if (before === 'none') return 'came to be'
  return now === 'none' ? 'was removed' : 'changed'
}

function changedList<T>(kind: string, planned: readonly T[], now: readonly T[], name: (item: T) => string): string[] {
  return Array.from(
    { length: Math.max(planned.length, now.length) }, (_, index) => [planned[index], now[index]] as const,
  ).flatMap(([old, other]) => {
    if (JSON.stringify(old) === JSON.stringify(other)) return []
    if (old === undefined) return other === undefined ? [] : [`a ${kind} that the plan does not show: ${name(other)}`]
    const [was, is] = [name(old), other === undefined ? 'gone' : name(other)]
    return [`${kind} ${was}${was === is ? ' is not as in the plan' : ` is now ${is}`}`]
  })
}

function bounded(lines: readonly string[]): string[] {
  const more = lines.length - MOST_NAMED
  return [...lines.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more of the kind`] : [])]
}
