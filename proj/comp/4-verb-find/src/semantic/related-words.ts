import { termsOf } from './terms.js'

/** Words that stand for the same in code, abbreviations first of all. */
const GROUPS = [
  'argument arg parameter param option', 'array list', 'authentication auth authorize login credential',
  'authorize approve permission allow', 'begin start', 'buffer buf', 'calculate compute count',
  'cancel abort interrupt signal kill terminate', 'change modify update edit', 'character char', 'colour color',
  'command cmd', 'configuration config cfg setting preference', 'connection conn', 'convert transform translate',
  'create make new build', 'current cur', 'database db', 'delete remove erase', 'dependency dep',
  'destination dest dst target', 'difference diff', 'directory dir folder', 'display show print render',
  'document doc', 'encode serialize stringify', 'environment env', 'error err exception failure fail',
  'execute exec run', 'expression expr', 'extension ext', 'forbid deny refuse reject', 'function fn func method',
  'generate gen create', 'identifier id name', 'image img', 'index idx', 'information info', 'initialize init setup',
  'language lang', 'length len size', 'near nearest close closest similar like', 'brace bracket curly',
  'library lib package', 'limit max maximum bound', 'link symlink', 'log logger', 'memory mem', 'message msg',
  'minimum min', 'number num', 'object obj', 'operating os system', 'parse read decode deserialize',
  'password pwd secret', 'path file', 'permission perm', 'pointer ptr', 'position pos offset', 'previous prev',
  'process proc', 'quit exit stop end', 'reference ref', 'regular regex regexp', 'repository repo', 'request req',
  'response res reply answer', 'result res outcome', 'save store persist write', 'search find lookup query',
  'sequence seq', 'source src', 'specification spec', 'split cut break', 'shorten truncate clip cut',
  'string str text', 'synchronize sync', 'temporary temp tmp', 'timeout deadline', 'user usr', 'utility util helper',
  'validate check verify ensure', 'value val', 'variable var', 'wait sleep delay', 'whitespace blank space',
  'window win',
]

/** For each term those it is searched together with. */
export const RELATED: ReadonlyMap<string, readonly string[]> = relate()

function relate(): Map<string, string[]> {
  const related = new Map<string, string[]>()
  for (const group of GROUPS) {
    const terms = termsOf(group)
    for (const term of terms) {
      related.set(term, [...(related.get(term) ?? []), ...terms.filter((other) => other !== term)])
    }
  }
  return related
}
