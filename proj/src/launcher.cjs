#!/usr/bin/env node
'use strict'
/**
 * Starts the command line. With the Node that built the package its chunks are compiled from V8's code cache, which the
 * build made: most of a short run would be spent on compiling. With any other Node they are loaded as usual.
 */
const { readFileSync } = require('fs')
const { homedir } = require('os')
const { dirname, isAbsolute, join } = require('path')
const { Script } = require('vm')

/** Both filled in by the build; the names of chunks tell their content, so that no cache can be that of another. */
const MAIN = '@MAIN@'
const BUILT_WITH = '@BUILT_WITH@'
/** Parts of Node and packages that few runs need, and that take milliseconds to load: loaded at their first use. */
const LAZY = /^node:(?:child_process|crypto|fs\/promises|readline\/promises|stream|timers\/promises)$|\/packages\//

/** By the place of the cache of each. */
const scripts = new Map()
const modules = new Map()

function start() {
  load(join(__dirname, MAIN))
}

function load(file) {
  const known = modules.get(file)
  if (known) return known.exports
  const module = { exports: {} }
  modules.set(file, module)
  const directory = dirname(file)
  const own = (id) => {
    const get = id[0] === '.' ? () => load(join(directory, id)) : () => require(id)
    return LAZY.test(id) ? lazy(get) : get()
  }
  // What is compiled here cannot import by itself.
  Object.assign(own, require, { import: (id) => import(id) })
  compile(file).runInThisContext()(module.exports, own, module, file, directory)
  return module.exports
}

function compile(file) {
  const code = readFileSync(file, 'latin1')
  const cache = `${file}.cache`
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename: file, cachedData: contentOf(cache),
  })
  scripts.set(cache, script)
  return script
}

function contentOf(cache) {
  try {
    return readFileSync(cache)
  } catch (error) {
    // It only makes the start faster: whatever keeps it from being read is no reason to fail.
    if (error.code === undefined) throw error
    return undefined
  }
}

/** In the place of a module: gets it when something of it is asked for. */
function lazy(get) {
  return new Proxy({}, {
    get: (_, name) => get()[name],
    has: (_, name) => name in get(),
    ownKeys: () => Reflect.ownKeys(get()),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(get(), name)
      return found && { ...found, configurable: true }
    },
  })
}

if (require.main !== module) module.exports = { start, scripts }
else if (BUILT_WITH === `${process.version} ${process.platform} ${process.arch}`) start()
else {
  const named = process.env['HERMES_HOME'] ?? ''
  // Node 22 and later. V8 believes a cache, so it lies where no run writes: not where temporary files do.
  require('module').enableCompileCache?.(join(isAbsolute(named) ? named : join(homedir(), '.hermes'), 'cache', 'code'))
  require(join(__dirname, MAIN))
}
