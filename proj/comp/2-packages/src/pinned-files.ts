/**
 * Files of packages that hermes loads or starts even from where a run can write, if their content has the SHA-256 given
 * here (`verified.ts`). Written by proj/scripts/pins.mjs, a line for each file: package, version, file, and SHA-256; of
 * a package's versions the newest last.
 */
const LINES = `
@lydell/node-pty 1.1.0 eventEmitter2.js dc86543141ce335c8602781d75edeccb3907ff1a1a8cacdc40ffb3172a585e77
@lydell/node-pty 1.1.0 index.js f744f3bd9bc7717b08a2f267d15f390bec078c9e0fcf0aaa46195a605bcd4275
@lydell/node-pty 1.1.0 interfaces.js dc648b31988e295ff80c1a742fd6442c1255d543d2c743a2f72f28ae9687415d
@lydell/node-pty 1.1.0 requireBinary.js 96f9281f2e3c5db821c504007658473b5c0981199c7cae5ccdb66f013f00ca94
@lydell/node-pty 1.1.0 terminal.js e035297c7da90660654fa5308ae98795caafabd9abd0ade889562ceb93a87b5f
@lydell/node-pty 1.1.0 types.js bac90e972f54e7448f2e811168a5562704a30edd555ed476f39a7d0bee289d57
@lydell/node-pty 1.1.0 unixTerminal.js 046c2e9b58251ffb6c0fa3e202e0bc1f9e74a781550c9f85c708b02c31623e52
@lydell/node-pty 1.1.0 utils.js bcd489b4ea31cfb75ca35aa2f672b86edf361be016037531e21191be9b7d829e
@lydell/node-pty-darwin-arm64 1.1.0 pty.node 12859327f1340ef35d04839a3670059e1964c0af2387da4f95a401ad7a410811
@lydell/node-pty-darwin-arm64 1.1.0 spawn-helper 863b9d9f2cddcae00141a5d81b452cbf1235ee57000d77fb4611bde864469316
@lydell/node-pty-darwin-x64 1.1.0 pty.node 40eaedf8f8ad00daa614b28d154b78789d63f44615c58a0edc71a057bc2b79ea
@lydell/node-pty-darwin-x64 1.1.0 spawn-helper 56a63c5e9fed5fb50529eb3aa0cbe6406348761f02b206c5e3f1b5ba7a26d26b
@lydell/node-pty-linux-arm64 1.1.0 pty.node c192e560428e778842fdbbe72f14032824b03373ed49ad3efcdbcf9eb249b75b
@lydell/node-pty-linux-x64 1.1.0 pty.node ff8c140f142c13030d84193e5ba2ac556d320cf29d8efecc391174bfb8861cb0
@vscode/ripgrep-darwin-arm64 1.18.0 bin/rg 6ef40346bf31fcce79d9614c7745c198542925a0c7d4911e1ffe794c53392ac1
@vscode/ripgrep-darwin-x64 1.18.0 bin/rg f999495980a5e6f1e7d26461ef5768b4013a62df610ed7d77a8b2de247a5b228
@vscode/ripgrep-linux-arm 1.18.0 bin/rg 0d8353810445d0606cc3c714601fd6ed0465b03746107ce2bb173499ffc34a67
@vscode/ripgrep-linux-arm64 1.18.0 bin/rg e152ea689d6e8420357e592f0d8253b96476c164118ca3e6e13074fa1705ddda
@vscode/ripgrep-linux-ia32 1.18.0 bin/rg 47763deda9f135d94176258090162bc2b2faece1bb8b806c5d02be4e9ac43f18
@vscode/ripgrep-linux-ppc64 1.18.0 bin/rg 921b000ad16eda974d9dffc1780771c917b540429b7afc4f72d1742d742abbf2
@vscode/ripgrep-linux-riscv64 1.18.0 bin/rg c0a0ed0c04224325ea9b9929ef8a7daf5fa2a3a6713d6f466ac0df820c079808
@vscode/ripgrep-linux-s390x 1.18.0 bin/rg 3932fc118f402eb72cc180d6238ed4d805a375c513613e3ce61320433cc6d760
@vscode/ripgrep-linux-x64 1.18.0 bin/rg 193906679498de4d939345b937fa24e0e69a03c244bd70c859f5e41232713f21
@vscode/ripgrep-win32-arm64 1.18.0 bin/rg.exe 0015ba7dfb2d8b62c39332d64e50c6e85f75230125e10c50a950ed14995c79bf
@vscode/ripgrep-win32-ia32 1.18.0 bin/rg.exe 72ca0c53d04d8c13cd245af0aedcd1e12dd20aa24439cb0d1fc5951547f3cceb
@vscode/ripgrep-win32-x64 1.18.0 bin/rg.exe f9dde63498b3193f098355dbec97af99dc4f6b8fa0df5ed04114a03012c042cb
typescript 5.0.2 lib/typescript.js a7c60341ad521ea4212d623efa39e6bf3650dd6cf9626693d317a08abee1e23a
typescript 5.0.3 lib/typescript.js 9fd01d6651001e37df3350702b11a98f3150d220c3d13a1427192b5da39aed0b
typescript 5.0.4 lib/typescript.js a7f255006690bbde4bf90321bc15c0be1325847157c03da0f0ca138855e1df23
typescript 5.1.3 lib/typescript.js d726fb371b1aeb04088ae51f45b28ca6dcf0670e397d3655ae675f475f5fe51b
typescript 5.1.5 lib/typescript.js 0ffa1e5ed6454f36f894b93e1ef7fc153afc7d9ad83dc871c7ddab199a515407
typescript 5.1.6 lib/typescript.js 804f9c1b6c64568c39dd48eee88b77ba92d0b5d0f44f425bc96bcfe052824644
typescript 5.2.2 lib/typescript.js 012d08c32b7cf31f629b649216dbb742afdebe859cd95c73bbc7b1275dd045f1
typescript 5.3.2 lib/typescript.js ef52bf644680ee9efd6e0aa311be5b5f5b94fa24a6f0753b75ce882f0ab5d8dc
typescript 5.3.3 lib/typescript.js a465a98e2fcb650a7b0d7ec63f3e15bc0eeb7e447e043bfa72c4109015d5e7c5
typescript 5.4.2 lib/typescript.js 7a174debaefc976b08f28451348b4dd7147c7a84930f3bd2788c9878b0374a7e
typescript 5.4.3 lib/typescript.js d11c5c5a6f68774af19d1fc9d2c9aa3bb179d0bb2a78458a1ccf16638614443e
typescript 5.4.4 lib/typescript.js 1b31cabc32e6466d1131de6c8d4375101abd4c483bb92526f4897eae7f69c86e
typescript 5.4.5 lib/typescript.js d4eeb6e18a598a21aa0a5c09a52270856e4b23bd31d9c7c60ab80a22b275b07b
typescript 5.5.2 lib/typescript.js 99443f51ec16c0744880ee28b500544b88479a95b14d996f7e874a2ac54ca201
typescript 5.5.3 lib/typescript.js ca9c31cc67103c00cf5a605454ee5bfcec71a01b82fb47d53b4391553ac36f2a
typescript 5.5.4 lib/typescript.js f7ff3e27aafe5dcc82d0307575e9a7dc5b053b141da123bec81c858537765b56
typescript 5.6.2 lib/typescript.js 91a020fd612f83f8b6107ad5252f35a5c724f95bc274915048aa091e90d4bde5
typescript 5.6.3 lib/typescript.js f316520790d4db220a10d890c5f85310e26a1bd3c104b8d3b5eb62ba0491651b
typescript 5.7.2 lib/typescript.js 9e2becd9f76b5b1048ff907b824c61cc164efcfbe1e3b34681c20b9adc912d3a
typescript 5.7.3 lib/typescript.js 0fba5508ecbe50cd00a45f132a76582fb22a4ec55769fd3d794fd0e026f9fb67
typescript 5.8.2 lib/typescript.js 795e49e46d497cc16e4b02916b50cbca257b4256d62cddc4cc504103f7961027
typescript 5.8.3 lib/typescript.js dd17428736a07e1db1a138d8a14295ddb2699ba780ee15038acdd2c6da5373a0
typescript 5.9.2 lib/typescript.js e5f1f6b3e82228a89873cc7b941b2465185e839c0692860f83e3e63e53f94c2b
typescript 5.9.3 lib/typescript.js 3ae902c92cc44dace175c0e69e13a4b0899f6983c6121d76b9ab8dd5795e7675
typescript 6.0.2 lib/typescript.js 630f808ac32d968a49a392c42cc06fd72abd939aaa7edfe3302810c067934653
typescript 6.0.3 lib/typescript.js 569177652966bd528c319171c7dd22860dbf72bde116cbc4f644f1d02bb12e39
`

export const PINNED_FILES = LINES.trim().split('\n').map((line) => (
  line.split(' ') as [name: string, version: string, file: string, sha256: string]
))
