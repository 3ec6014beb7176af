import { type MaskedCode, STRING } from './mask.js'
import type { CodeLanguage } from './code-languages.js'

/** Most aliases to resolve. */
const MOST_NAMES = 60

/** Masked code with imported or aliased names replaced by the original ones. */
export function plainCalls({ code, strings }: MaskedCode, lang: CodeLanguage): string {
  const text = (index: string | undefined): string => strings[Number(index)] ?? ''
  let plain = code
    .replace(
      new RegExp(`\\b(?:__import__|importlib\\s*\\.\\s*import_module)\\s*\\(\\s*${STRING}\\s*\\)`, 'g'),
      (_, index: string) => text(index),
    )
    .replace(new RegExp(`\\brequire\\s*\\(\\s*${STRING}\\s*\\)`, 'g'), (_, index: string) => moduleName(text(index)))
    .replace(
      new RegExp(`\\bgetattr\\s*\\(\\s*([\\w.]+)\\s*,\\s*${STRING}\\s*\\)`, 'g'),
      (_, owner: string, index: string) => `${owner}.${text(index)}`,
    )
  if (lang === 'javascript') {
    plain = plain.replace(new RegExp(`(?<=[\\w)\\]])\\s*\\[\\s*${STRING}\\s*\\]`, 'g'), (whole, index: string) =>
      /^\w+$/.test(text(index)) ? `.${text(index)}` : whole,
    )
  }
  if (lang !== 'python' && lang !== 'javascript') return plain
  for (const [name, full] of aliases(plain, text)) {
    plain = plain.replace(new RegExp(`(?<![\\w.$])${name.replace('$', '\\$')}(?=\\s*[.(])`, 'g'), () => full)
  }
  return plain
}

function aliases(code: string, text: (index: string | undefined) => string): Map<string, string> {
  const found = new Map<string, string>()
  const keep = (name: string | undefined, full: string): void => {
    if (name !== undefined && name !== full && found.size < MOST_NAMES && /^[\w$]+$/.test(name)) found.set(name, full)
  }
  for (const [, list = ''] of code.matchAll(/(?:^|[\n;])\s*import\s+([\w., ]+)/g)) {
    for (const one of list.split(',')) {
      const [, module = '', name] = /^\s*([\w.]+)\s+as\s+(\w+)\s*$/.exec(one) ?? []
      keep(name, module)
    }
  }
  for (const [, module = '', list = ''] of code.matchAll(/\bfrom\s+([\w.]+)\s+import\s+\(?([\w, \n]+)/g)) {
    for (const one of list.split(',')) {
      const [, name = '', alias] = /^\s*(\w+)(?:\s+as\s+(\w+))?/.exec(one) ?? []
      keep(alias ?? name, `${module}.${name}`)
    }
  }
  for (const [, list = '', module = ''] of code.matchAll(
    /\{([\w\s,:$]+)\}\s*=\s*(?:await\s+)?(?:import\s*\(\s*)?(child_process|fs|fse)\b/g,
  ))
    names(list, module, /:/, keep)
  for (const [, list = '', index] of code.matchAll(
    new RegExp(`\\bimport\\s*\\{([\\w\\s,$]+)\\}\\s*from\\s*${STRING}`, 'g'),
  ))
    names(list, moduleName(text(index)), /\bas\b/, keep)
  for (const [, name, module = ''] of code.matchAll(
    /([\w$]+)\s*=\s*(child_process|fs|fse|os|subprocess|shutil)\b(?!\s*[.(])/g,
  ))
    keep(name, module)
  for (const [, name, full = ''] of code.matchAll(
    /([\w$]+)\s*=\s*((?:child_process|fs|os|subprocess|shutil)\.\w+)\s*(?=[;\n]|$)/g,
  ))
    keep(name, full)
  for (const [, name, index] of code.matchAll(
    new RegExp(`\\bimport\\s+(?:\\*\\s*as\\s+)?([\\w$]+)\\s+from\\s*${STRING}`, 'g'),
  ))
    keep(name, moduleName(text(index)))
  return found
}

function names(
  list: string,
  module: string,
  separator: RegExp,
  keep: (name: string | undefined, full: string) => void,
): void {
  for (const one of list.split(',')) {
    const [name = '', alias] = one.split(separator).map((part) => part.trim())
    if (/^\w+$/.test(name)) keep(alias ?? name, `${module}.${name}`)
  }
}

function moduleName(specifier: string): string {
  const name = specifier.replace(/^node:/, '').replace(/\/.*/s, '')
  if (name === 'fs-extra') return 'fse'
  return /^[\w-]+$/.test(name) ? name.replaceAll('-', '_') : 'module_'
}
