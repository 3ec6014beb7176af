import { caught, isRecord } from '../../0-contracts/src/index.js'
import { shellWord } from '../../0-text/src/index.js'
import { hereText } from './here-text.js'
import { listOf } from './list-of.js'
import type { SourceData } from './mapping-schema.js'
import type { MappingPlace } from './mapping-types.js'
import { patchOfSections, SectionError } from './search-sections.js'

type FromArgument = Extract<SourceData, { from: string }>
type Arguments = Record<string, unknown>

/** The computed value of a parameter; without a value it is left out. */
export type Made = { value: unknown } | { problem: string }

/** Computes a parameter of a verb from the arguments of a call. */
export function valueOf(source: SourceData, args: Arguments, place: MappingPlace): Made {
  if (typeof source === 'string') return { value: own(args, source) }
  if (!('from' in source)) return { value: source.value }
  const value = own(args, source.from) ?? source.default
  if (value === undefined || value === source.unless) return { value: undefined }
  let made: Made = { value }
  for (const step of STEPS) {
    if ('problem' in made || made.value === undefined) return made
    made = step(made.value, source, args, place)
  }
  return made
}

export function usedBySource(source: SourceData): string[] {
  if (typeof source === 'string') return [source]
  if (!('from' in source)) return []
  return [source.from, source.beyond, source.sections_of].filter((name) => name !== undefined)
}

type Step = (value: unknown, source: FromArgument, args: Arguments, place: MappingPlace) => Made

const STEPS: readonly Step[] = [picked, counted, inverted, listed, asPath, worded]

function picked(value: unknown, { from, item, skip, unless }: FromArgument): Made {
  if (item === undefined && skip === undefined) return { value }
  const list = listOf(value)
  if (!list) return { problem: `'${from}' (not a list)` }
  const taken: unknown = item === undefined ? list.slice(skip) : list[item]
  if (taken === undefined) return { problem: `'${from}' (too short a list)` }
  return { value: taken === unless ? undefined : taken }
}

function counted(value: unknown, { from, times, plus, beyond, first = 1 }: FromArgument, args: Arguments): Made {
  if (times === undefined && plus === undefined && beyond === undefined) return { value }
  const number = numberOf(value)
  if (number === undefined) return { problem: `'${from}' (not a number)` }
  if (beyond !== undefined) {
    const offset = numberOf(own(args, beyond) ?? first)
    // The last of this many lines from the first one on; some tools count lines from 0.
    return offset === undefined ? { problem: `'${beyond}' (not a number)` }
      : { value: Math.max(offset, first) + number - first }
  }
  // Times and lines are whole numbers; round up, so that a limit never gets smaller.
  return { value: Math.ceil(number * (times ?? 1) + (plus ?? 0)) }
}

function inverted(value: unknown, { from, not }: FromArgument): Made {
  if (not === undefined) return { value }
  const text = String(value).toLowerCase()
  if (text === 'true') return { value: false }
  return text === 'false' ? { value: true } : { problem: `'${from}' (neither true nor false)` }
}

function listed(
  value: unknown, { from, each, join, shell, path }: FromArgument, _: Arguments, place: MappingPlace,
): Made {
  if (each === undefined && join === undefined && shell === undefined) return { value }
  const list = listOf(value)
  if (!list) return { problem: `'${from}' (not a list)` }
  const texts = list.map((item) => {
    if (each === undefined || !isRecord(item)) return item
    const [only, ...others] = Object.keys(item).filter((key) => item[key] !== null)
    return only === each && others.length === 0 ? item[each] : undefined
  })
  if (!texts.every((text) => typeof text === 'string')) return { problem: `'${from}' (not a list of texts)` }
  if (shell) return { value: texts.map(shellWord).join(' ') }
  const paths = path === true ? texts.map((text) => place.absolute(text)) : texts
  return { value: join === undefined ? paths : paths.join(join) }
}

function asPath(value: unknown, { from, path, join }: FromArgument, _: Arguments, place: MappingPlace): Made {
  if (path !== true || join !== undefined || Array.isArray(value)) return { value }
  return typeof value === 'string' ? { value: place.absolute(value) } : { problem: `'${from}' (not a text)` }
}

function worded(value: unknown, source: FromArgument, args: Arguments, place: MappingPlace): Made {
  const { from, heredoc, sections_of: pathName, newline, format } = source
  if (heredoc !== undefined) return { value: hereText(value, heredoc) }
  if (pathName === undefined && newline === undefined && format === undefined) return { value }
  if (typeof value !== 'string') return { problem: `'${from}' (not a text)` }
  if (pathName !== undefined) return patchOf(value, from, own(args, pathName), place)
  const ended = newline && !value.endsWith('\n') ? `${value}\n` : value
  return { value: format === undefined ? ended : format.split('{}').join(ended) }
}

function patchOf(text: string, from: string, path: unknown, place: MappingPlace): Made {
  if (typeof path !== 'string' || /[\r\n]/.test(path)) return { problem: `'${from}' (there is no path for it)` }
  // A line of a patch would lose the blanks, so the path would name another file.
  if (path.trim() !== path) return { problem: `'${from}' (its path begins or ends with blanks)` }
  return caught(
    SectionError, () => ({ value: patchOfSections(text, place.absolute(path)) }),
    (error) => ({ problem: `'${from}' (${error.message})` }),
  )
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  return typeof number === 'number' ? number : undefined
}

/** Some models send `null` for an omitted argument. */
function own(args: Arguments, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] ?? undefined : undefined
}
