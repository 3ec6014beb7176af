import { isAbsolute, sep } from 'node:path'
import { caught, HermesError } from '../../../0-contracts/src/index.js'
import { canonicalOf, compilePattern, type PathPattern } from '../../../2-files/src/index.js'

/** A path in the two forms that patterns are compared with; `/` between names. */
export interface ComparedPath {
  /** Without the leading slash. */
  absolute: string
  /** Relative to the root, the allowed directory, or the directory of the policy file. */
  below: string
}

export interface Glob {
  /** Whether the path or one of its parent directories matches. */
  covers(path: ComparedPath): boolean
  /** Whether something below the directory may match. */
  leadsTo(directory: ComparedPath): boolean
}

/** Patterns without a name. */
const EVERYTHING: ReadonlyMap<string, string> = new Map([['.', '**'], ['/', '/**']])

/** Why a pattern is invalid; `undefined` if it is valid. */
export function problemOfGlob(written: string): string | undefined {
  return caught(HermesError, () => {
    for (const ignoreCase of [false, true]) compileGlob(written, { ignoreCase, home: '/home' })
    return undefined
  }, ({ message, hint }) => {
    const problem = message.replace(/^policy: /, '')
    return hint === undefined ? problem : `${problem}. ${hint}`
  })
}

/**
 * Compiles a pattern of a policy file. Without a slash it matches a name at any depth; with one it is relative to where
 * `below` starts; `/…` and `~/…` are absolute. A match includes everything below it.
 *
 * @throws HermesError `INVALID_PARAMETER`
 */
export function compileGlob(written: string, { ignoreCase, home }: { ignoreCase: boolean; home: string }): Glob {
  if (written.startsWith('!')) {
    throw new HermesError('INVALID_PARAMETER', 'policy: a pattern cannot begin with !', {
      hint: 'Write what is meant itself; a name that begins with ! is written \\!.',
    })
  }
  // Names that a file system may treat as equal.
  const fold = (text: string): string => (ignoreCase ? text.normalize('NFC').toLowerCase() : text.normalize('NFC'))
  const inHome = /^~(?=\/|$)/.test(written) ? escaped(slashed(home)) + written.slice(1) : written
  const cut = inHome.replace(/(?<=.)(?:\/\*\*|\/)+$/, '').replace(/^\.\//, '')
  const plain = EVERYTHING.get(cut) ?? cut
  const absolute = isAbsolute(plain)
  const forms = absolute ? [...new Set([plain, throughLinks(plain)])].map((form) => form.replace(/^\//, '')) : [plain]
  const anchored = /\/./.test(inHome)
  const patterns = forms.map((form) => compile(fold(anchored ? form : `**/${form}`)))
  const textOf = (path: ComparedPath): string => fold(absolute ? path.absolute : path.below)
  return {
    covers(path) {
      const text = textOf(path)
      return patterns.some(({ exact, inside }) => exact.matches(text) || inside.matches(text))
    },
    leadsTo(directory) {
      const text = textOf(directory)
      return text === '' || patterns.some(({ exact }) => exact.mayMatchBelow(text))
    },
  }
}

function compile(form: string): { exact: PathPattern; inside: PathPattern } {
  return {
    exact: compilePattern('policy', 'the pattern', form, { dot: true }),
    inside: compilePattern('policy', 'the pattern', `${form}/**`, { dot: true }),
  }
}

export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]{},!]/g, '\\$&')
}

/** Resolves links in the part before the first wildcard, since compared paths have none. */
function throughLinks(pattern: string): string {
  const names = pattern.split('/')
  const first = names.findIndex((name) => /[\\*?[\]{}]/.test(name))
  const fixed = first === -1 ? names : names.slice(0, first)
  const real = canonicalOf(fixed.join('/') || '/')
  return [escaped(slashed(real)), ...(first === -1 ? [] : names.slice(first))].join('/').replace(/^\/{2,}/, '/')
}
