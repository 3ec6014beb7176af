import type { ParameterExpansionPart, Word } from 'unbash'
import { globRegex } from './globs.js'
import type { Scope } from './scope.js'
import { ANY, isKnown } from './taint.js'

/** Variables with known values before a script starts, as far as relevant. */
const PRESET: Readonly<Record<string, string>> = {
  HOME: '~', PWD: '.', IFS: ' ', TMPDIR: '/tmp', SHELL: 'bash', BASH: 'bash', 0: 'bash', '#': '0', '?': '0', $: '4242',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', '-': 'hB',
}

/** The values of a variable; one `ANY` where unknown. */
export function valuesOf(name: string, scope: Scope): readonly string[] {
  const own = scope.variables.get(name)
  if (own) return own
  if (name === '@' || name === '*') return scope.parameters ?? [ANY]
  if (/^[1-9]\d*$/.test(name)) return scope.parameters ? [scope.parameters[Number(name) - 1] ?? ''] : [ANY]
  return [Object.hasOwn(PRESET, name) ? (PRESET[name] ?? ANY) : ANY]
}

/**
 * Expands `${…}` to fields.
 *
 * @param textOf expands a word inside it
 */
export function expandParameter(
  part: ParameterExpansionPart,
  scope: Scope,
  textOf: (word: Word) => string,
): readonly string[] {
  const { parameter, prefix, index, operation } = part
  if (prefix === '#') return [isKnown(first(parameter, scope)) ? String(first(parameter, scope).length) : ANY]
  const name = prefix === '!' ? first(parameter, scope) : parameter
  const all = isKnown(name) ? valuesOf(name, scope) : [ANY]
  const picked = index === undefined ? all.slice(0, isList(name) ? undefined : 1) : pick(all, textOf(index))
  if (!operation) return picked
  const values = picked.length === 0 ? [''] : picked
  switch (operation.type) {
    case 'Default':
      return defaultOf(operation.operator, values, scope.variables.has(name), () => textOf(operation.operand))
    case 'Slice':
      return slice(name, values, textOf(operation.offset), operation.length && textOf(operation.length))
    case 'Remove':
      return values.map((value) => remove(value, operation.operator, textOf(operation.operand)))
    case 'Replace': {
      const [pattern, replacement] = [textOf(operation.pattern), textOf(operation.replacement)]
      return values.map((value) => replace(value, operation.operator, pattern, replacement))
    }
    case 'CaseModification':
      return values.map((value) => changeCase(value, operation.operator))
    case 'Transform':
      return values.map((value) => transform(value, operation.operator))
    default:
      return [ANY]
  }
}

function isList(name: string): boolean {
  return name === '@' || name === '*'
}

function first(name: string, scope: Scope): string {
  return valuesOf(name, scope)[0] ?? ''
}

function pick(values: readonly string[], index: string): readonly string[] {
  if (index === '@' || index === '*') return values
  const at = Number(index)
  if (!Number.isInteger(at)) return [values.length === 1 ? (values[0] ?? ANY) : ANY]
  return [values.at(at) ?? '']
}

function defaultOf(operator: string, values: readonly string[], isSet: boolean, operand: () => string) {
  const isUnknown = !isSet && values.length === 1 && values[0] === ANY
  // An unknown variable is probably not set, so what the script itself provides counts.
  if (operator.endsWith('+')) return isUnknown || values[0] === '' ? [isUnknown ? operand() : ''] : [operand()]
  if (operator.endsWith('?')) return values
  return isUnknown || values[0] === '' ? [operand()] : values
}

function slice(name: string, values: readonly string[], offset: string, length: string | undefined): readonly string[] {
  const [from, count] = [Number(offset), length === undefined ? undefined : Number(length)]
  if (!Number.isInteger(from) || (count !== undefined && !Number.isInteger(count))) return [ANY]
  if (isList(name)) return values.slice(Math.max(0, from - 1), count === undefined ? undefined : from - 1 + count)
  const [value = ''] = values
  // Both begin with a slash, whatever their value.
  if ((name === 'HOME' || name === 'PWD') && from === 0 && count === 1) return ['/']
  if (!isKnown(value)) return [ANY]
  const end = count === undefined ? undefined : count < 0 ? count : (from < 0 ? value.length + from : from) + count
  return [value.slice(from, end)]
}

/** Whether a comparison is cheap; longer values do not occur in honest scripts. */
function isShort(value: string, pattern: string): boolean {
  return value.length <= 1000 && pattern.length <= 100 && pattern.split('*').length <= 4
}

function remove(value: string, operator: string, pattern: string): string {
  if (!isKnown(value) || !isKnown(pattern)) return value
  if (!isShort(value, pattern)) return ANY
  const ends = [...value, ''].map((_, length) => length)
  const isPrefix = operator.startsWith('#')
  const lengths = operator.length === 1 ? ends : ends.reverse()
  const regex = globRegex(pattern)
  const cut = lengths.find((length) =>
    regex.test(isPrefix ? value.slice(0, length) : value.slice(value.length - length)),
  )
  if (cut === undefined) return value
  return isPrefix ? value.slice(cut) : value.slice(0, value.length - cut)
}

function replace(value: string, operator: string, pattern: string, replacement: string): string {
  if (!isKnown(value) || !isKnown(pattern) || pattern === '') return value
  if (!/[*?[\\]/.test(pattern)) {
    return operator === '//' ? value.replaceAll(pattern, () => replacement) : value.replace(pattern, () => replacement)
  }
  if (!isShort(value, pattern)) return ANY
  return value.replace(globRegex(pattern, true), () => replacement)
}

function changeCase(value: string, operator: string): string {
  const change = (text: string) => (operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase())
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1)
}

/** `${x@U}` is `${x^^}`; others quote. */
function transform(value: string, operator: string): string {
  const same = { U: '^^', L: ',,', u: '^' }[operator]
  return same === undefined ? value : changeCase(value, same)
}
