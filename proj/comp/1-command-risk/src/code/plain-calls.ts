import { type MaskedCode, STRING } from './mask.js'
import type { CodeLanguage } from './code-languages.js'

/** Most aliases to resolve. */
const MOST_NAMES = 60

/** What gives names: to one `name`, or to a `list` of them, of a `module` or of the one that a string names. */
const IMPORTS = [
  /(?:^|[\n;])\s*import\s+(?<list>[\w., ]+)/g,
  /\bfrom\s+(?<module>[\w.]+)\s+import\s+\(?(?<list>[\w, \n]+)/g,
  /\{(?<list>[\w\s,:$]+)\}\s*=\s*(?:await\s+)?(?:import\s*\(\s*)?(?<module>child_process|fs|fse)\b/g,
  new RegExp(`\\bimport\\s*\\{(?<list>[\\w\\s,$]+)\\}\\s*from\\s*${STRING}`, 'g'),
  /(?<name>[\w$]+)\s*=\s*(?<module>child_process|fs|fse|os|subprocess|shutil)\b(?!\s*[.(])/g,
  /(?<name>[\w$]+)\s*=\s*(?<module>(?:child_process|fs|os|subprocess|shutil)\.\w+)\s*(?=[;\n]|$)/g,
  new RegExp(`\\bimport\\s+(?:\\*\\s*as\\s+)?(?<name>[\\w$]+)\\s+from\\s*${STRING}`, 'g'),
]

/** Masked code with imported or aliased names replaced by the original ones. */
export function plainCalls({ code, strings }: MaskedCode, lang: CodeLanguage): string {
  if (lang !== 'python' && lang !== 'javascript') return code
  const text = (index: string): string => strings[Number(index)] ?? ''
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
  for (const [name, full] of aliases(plain, text)) {
    plain = plain.replace(new RegExp(`(?<![\\w.$])${name.replaceAll('$', '\\$')}(?=\\s*[.(])`, 'g'), () => full)
  }
  return plain
}

function aliases(code: string, text: (index: string) => string): Map<string, string> {
  const modules = new Map<string, string>()
  const keep = (name: string, full: string): void => {
    if (name !== full && modules.size < MOST_NAMES) modules.set(name, full)
  }
  for (const { groups: { name, list, module, string } = {} } of IMPORTS.flatMap((form) => [...code.matchAll(form)])) {
    const owner = module ?? (string === undefined ? undefined : moduleName(text(string)))
    if (name !== undefined && owner !== undefined) keep(name, owner)
    for (const item of list?.split(',') ?? []) {
      const [, own = '', alias = own] = /^\s*([\w.$]+)(?:\s*(?:\bas\b|:)\s*([\w$]+))?/.exec(item) ?? []
      if (own !== '') keep(alias, owner === undefined ? own : `${owner}.${own}`)
    }
  }
  return modules
}

function moduleName(specifier: string): string {
  const name = specifier.replace(/^node:/, '').replace(/\/.*/s, '')
  if (name === 'fs-extra') return 'fse'
  return /^[\w-]+$/.test(name) ? name.replaceAll('-', '_') : 'module_'
}
