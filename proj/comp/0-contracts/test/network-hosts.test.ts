import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asciiHost, commonHosts, commonReach, hostsBeyond, namesHost, problemOfHost, readHosts, splitHost,
} from '../src/network-hosts.js'

describe('a host in its one form', () => {
  it.each([
    ['Packages.EXAMPLE.com', 'packages.example.com'], ['example.org.', 'example.org'], ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'], ['ｅｘａｍｐｌｅ.org', 'example.org'], ['ex\u00adample.org', undefined],
    ['0x7f.1', '127.0.0.1'], ['2130706433', '127.0.0.1'], ['127.0.0.1.', '127.0.0.1'], ['0177.0.0.1', '127.0.0.1'],
    ['::1', '::1'], ['0:0:0:0:0:0:0:1', '::1'], ['::FFFF:127.0.0.1', '::ffff:7f00:1'], ['my_host', 'my_host'],
    ['a..b', undefined], ['', undefined], ['.', undefined], ['a b', undefined], ['user@host', undefined], ['host/path', undefined],
    ['host%2eorg', undefined], ['host#x', undefined], ['host?x', undefined], ['host\\x', undefined], ['ho\tst', undefined],
    ['ho\u200bst', undefined], ['fe80::1%eth0', undefined], ['1.2.3.4.5', undefined], [`${'a.'.repeat(200)}org`, undefined],
  ])('%j is %j', (text, host) => {
    expect(asciiHost(text)).toBe(host)
  })
})

it.each([
  ['example.org', 'example.org'], ['*.Example.org:8443', '*.example.org:8443'], ['[::1]:3000', '[::1]:3000'], ['[::1]', '::1'],
  ['127.0.0.1:5432', '127.0.0.1:5432'], ['*', undefined], ['*.10.0.0.1', undefined], ['*.*.org', undefined], ['a.*.org', undefined],
  ['https://example.org', undefined], ['example.org:0', undefined], ['example.org:65536', undefined], ['example.org:', undefined],
  ['[example.org]', undefined], ['[::1', undefined], ['example.org:443:443', undefined], ['user@example.org', undefined],
])('a list names %j as %j', (text, written) => {
  expect(readHosts([text])).toEqual(written === undefined ? [] : [written])
  expect(problemOfHost(text) === undefined).toBe(written !== undefined)
})

it.each([
  ['example.org', 'example.org', 443, true], ['example.org', 'example.org', 80, true], ['example.org', 'example.org', 22, false],
  ['example.org:22', 'example.org', 22, true], ['example.org:22', 'example.org', 443, false], ['example.org', 'a.example.org', 443, false],
  ['*.example.org', 'a.example.org', 443, true], ['*.example.org', 'a.b.example.org', 443, true], ['*.example.org', 'example.org', 443, false],
  ['*.example.org', 'badexample.org', 443, false], ['*.example.org', 'example.org.evil.net', 443, false], ['127.0.0.1', '127.0.0.1', 80, true],
  ['*.0.0.1', '127.0.0.1', 80, false], ['::1', '::1', 80, true],
])('%s names %s port %d: %s', (rule, host, port, isNamed) => {
  expect(namesHost([rule], host, port)).toBe(isNamed)
})

it.each([
  [['a.org', 'b.org'], ['b.org', 'c.org'], ['b.org']], [['*.a.org'], ['x.a.org', 'a.org'], ['x.a.org']], [['*.a.org'], ['*.b.a.org'], ['*.b.a.org']],
  [['a.org'], ['a.org:443'], ['a.org:443']], [['a.org'], ['a.org:22'], []], [['a.org:22'], ['a.org:22'], ['a.org:22']], [['a.org'], ['*.a.org'], []],
])('%j and %j have %j in common', (one, other, both) => {
  expect(commonHosts(one, other)).toEqual(both)
  expect(commonHosts(other, one)).toEqual(both)
  expect(commonReach(one, other)).toEqual(both.length > 0 && both)
  expect(hostsBeyond(both, one)).toEqual([])
})

it('what two lists have in common names exactly what both name', () => {
  const name = fc.constantFrom('a.org', 'x.a.org', 'y.x.a.org', 'b.org', '10.0.0.1')
  const port = fc.constantFrom('', ':80', ':443', ':22')
  const rule = fc.tuple(fc.constantFrom('', '*.'), name, port).map(parts => parts.join('')).filter(text => problemOfHost(text) === undefined)
  const list = fc.array(rule, { maxLength: 4 })
  fc.assert(fc.property(list, list, name, fc.constantFrom(80, 443, 22), (one, other, host, number) => {
    expect(namesHost(commonHosts(one, other), host, number)).toBe(namesHost(one, host, number) && namesHost(other, host, number))
  }))
})

it('what is split has the form that lists are compared in', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'aB1.:[]*@%/\\ \u200büｅ0x') }), (text) => {
    const found = splitHost(text)
    if (found !== undefined) expect(asciiHost(found.host)).toBe(found.host)
  }))
})
