/** Trees of source files from a seed, in Python and TypeScript, that define and use each other's names. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'

const WORDS = 'server client request response header parse token index value result buffer stream route config option '
  .concat('queue worker thread cache store entry record cursor field schema plan').split(' ')

export class Tree {
  #next
  #root
  #time = 1_500_000_000
  files = []

  constructor(root, next) {
    this.#root = root
    this.#next = next
  }

  pick(list) {
    return list[Math.floor(this.#next() * list.length)]
  }

  name() {
    return `${this.pick(WORDS)}_${this.pick(WORDS)}`
  }

  /** Writes a file; its time is long past, so that it proves that the file is unchanged, unless `isFresh`. */
  write(path, isFresh = false) {
    const text = path.endsWith('.py') ? this.#python() : this.#typescript()
    outputFileSync(join(this.#root, path), text)
    if (!isFresh) utimesSync(join(this.#root, path), this.#time, this.#time++)
  }

  plant(count, perDirectory = 50) {
    for (let file = 0; file < count; file++) {
      const directory = Math.floor(file / perDirectory)
      const path = `p${directory % 20}/m${directory}/f${file % perDirectory}.${this.#next() < 0.5 ? 'py' : 'ts'}`
      this.files.push(path)
      this.write(path)
    }
  }

  #python() {
    const methods = Array.from({ length: 8 }, () => `    def ${this.name()}(self, ${this.name()}, other=None):
        result = self.${this.name()}(${this.name()})
        if result is None:
            return ${this.name()}.${this.name()}
        return result
`)
    return `import os\nfrom .f1 import ${this.name()}\n\nclass ${this.name()}_class:\n${methods.join('\n')}`
  }

  #typescript() {
    const methods = Array.from({ length: 8 }, () => `  ${this.name()}(${this.name()}: string, other: number): string {
    const result = this.${this.name()}(${this.name()})
    if (result === undefined) return ${this.name()}.${this.name()}
    return result
  }
`)
    return `import { ${this.name()} } from './f1.js'\n\nexport class ${this.name()}_class {\n${methods.join('\n')}}\n`
  }
}
