import { HermesError, type McpServer } from '../../../0-contracts/src/index.js'
import { createMasker, type Masker } from '../../../0-text/src/index.js'

/**
 * Masks what a server was given: every value of a variable its settings refer to; of values written there, those whose
 * name says that they are secret.
 */
export function maskerFor({ env = {}, headers = {}, url }: McpServer, environment: NodeJS.ProcessEnv): Masker {
  const tokens = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .map(([name, value]) =>
      [`${name.replaceAll('-', '_')}_TOKEN`, value.replace(/^(?:bearer|basic|token) +/i, '')] as const)
  const written = [...Object.entries(env), ...tokens].filter(([, value]) => !value.includes('${'))
  const queries = [...(url === undefined ? [] : new URL(url).searchParams)].map(([name, value]) =>
    [`${name}_TOKEN`, value] as const)
  const byName = createMasker({ ...environment, ...Object.fromEntries([...written, ...queries]) })
  const byValue = expandedValues([...Object.values(env), ...Object.values(headers)], environment)
  const text = (input: string): string =>
    byName.text(byValue.reduce((all, [name, value]) => all.replaceAll(value, `[masked ${name}]`), input))
  return { text, value: (value) => byName.value(byValue.length === 0 ? value : deep(value, text) as typeof value) }
}

/** The same error without secrets. Its cause may hold some, so it is left out. */
export function maskedError(error: HermesError, masker: Masker): HermesError {
  const { code, message, hint, data } = error
  return new HermesError(code, masker.text(message), {
    ...(hint !== undefined && { hint: masker.text(hint) }), ...(data !== undefined && { data: masker.value(data) }),
  })
}

/** Shortest value that is masked; shorter ones may well be ordinary words. */
const SHORTEST = 6
/** Variables never masked: that would garble paths. */
const PLACES = new Set(['HOME', 'PATH', 'PWD', 'SHELL', 'TEMP', 'TMP', 'TMPDIR', 'USERPROFILE'])
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

function expandedValues(templates: readonly string[], environment: NodeJS.ProcessEnv): (readonly [string, string])[] {
  const names = new Set(templates.flatMap((template) => [...template.matchAll(VARIABLE)].map(([, name = '']) => name)))
  return [...names].map((name) => [name, environment[name] ?? ''] as const)
    .filter(([name, value]) => value.length >= SHORTEST && !PLACES.has(name))
    .sort(([, a], [, b]) => b.length - a.length)
}

function deep(value: unknown, text: (input: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map((item) => deep(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), deep(item, text)]))
}
