import { compilePattern } from '../../../2-files/src/index.js'
import { shownOwnFile } from './hermes-home.js'
import type { PolicySource } from './source.js'

const FIELDS = ['command_allowlist', 'env'] as const

/** Entries a project has for lists that only the user can open; one line each. */
export function vainLists(user: PolicySource | undefined, projects: readonly PolicySource[]): string[] {
  return projects.flatMap(({ values, place }) => FIELDS
    .filter((field) => (values[field] ?? []).length > 0 && (user?.values[field] ?? []).length === 0)
    .map((field) => `${place(field)}: ${field} has no effect: a project can only narrow that of ${shownOwnFile()}`))
}

/** The user's entries that are also in each project's list, where it has one. */
export function commandAllowlist(user: PolicySource | undefined, projects: readonly PolicySource[]): string[] {
  const lists = projects.flatMap(({ values }) => (values.command_allowlist ? [values.command_allowlist] : []))
  return (user?.values.command_allowlist ?? []).filter((entry) => lists.every((list) => list.includes(entry)))
}

/** Whether a variable is on the user's list and on each project's that has one. */
export function environmentFilter(
  user: PolicySource | undefined, projects: readonly PolicySource[],
): (name: string) => boolean {
  const lists = [user?.values.env ?? [], ...projects.flatMap(({ values }) => (values.env ? [values.env] : []))]
    .map((names) => names.map(variable))
  return (name) => lists.every((tests) => tests.some((matches) => matches(name)))
}

/** `CI`, `NPM_*`. On Windows names have no case. */
function variable(written: string): (name: string) => boolean {
  const fold = (text: string): string => (process.platform === 'win32' ? text.toUpperCase() : text)
  const pattern = compilePattern('policy', 'env', fold(written), { dot: true })
  return (name) => pattern.matches(fold(name))
}
