/** Runs the benchmarks named (all without names) over dist/, prints their figures and merges them into results.json. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

const SUFFIX = '.bench.mjs'
const here = new URL('.//', import.meta.url)
const results = new URL('results.json', here)
const all = readdirSync(here).filter(file => file.endsWith(SUFFIX)).map(file => file.slice(0, -SUFFIX.length))
const named = process.argv.slice(2)
const unknown = named.find(name => !all.includes(name))

if (unknown !== undefined) {
  console.error(`No benchmark ${unknown}; there are: ${all.join(', ')}`)
  process.exitCode = 2
} else {
  for (const name of named.length > 0 ? named : all) {
    const { default: run } = await import(new URL(name + SUFFIX, here).href)
    const figures = (await run()).map(withRatio)
    print(name, figures)
    merge(name, figures)
  }
}

/** `ratio` is the value by that of `against`, a figure of another program for the same work. */
function withRatio(figure) {
  const { value, against, ratio } = figure
  return ratio !== undefined || against === undefined ? figure : { ...figure, ratio: value / against }
}

function print(name, figures) {
  const rows = figures.map(({ name: figure, value, unit, against, ratio, target }) => [
    figure, `${round(value)} ${unit}`, against === undefined ? '' : `${round(against)} ${unit}`,
    ratio === undefined ? '' : `${round(ratio)}×`, target ?? '',
  ])
  const table = [['', 'value', 'against', 'ratio', 'target'], ...rows]
  const widths = table[0].map((_, column) => Math.max(...table.map(row => row[column].length)))
  const lines = table.map(row => row.map((cell, column) => (
    column === 0 || column === 4 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])
  )).join('  ').trimEnd())
  console.log(`${name}\n${lines.map(line => `  ${line}`).join('\n')}\n`)
}

function merge(name, figures) {
  const entry = {
    node: process.version, cpu: cpus()[0]?.model ?? 'unknown', date: new Date().toISOString().slice(0, 10),
  }
  const rounded = figures.map(figure => ({
    ...figure, value: round(figure.value),
    ...(figure.against !== undefined && { against: round(figure.against) }),
    ...(figure.ratio !== undefined && { ratio: round(figure.ratio) }),
  }))
  const merged = { ...readResults(), [name]: { ...entry, figures: rounded } }
  const sorted = Object.fromEntries(Object.entries(merged).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(results, `${JSON.stringify(sorted, null, 2)}\n`)
}

function readResults() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

/** Three significant digits, whole numbers as they are. */
function round(value) {
  return Number.isInteger(value) ? value : Number(value.toPrecision(3))
}
