// `npm run release -- 0.2.0`: makes a release of what is committed on main. It records what this version stores and answers, turns
// the changelog's "Unreleased" into the version, commits, tags, builds the image where a container engine is there, and prints
// the notes. Nothing leaves this machine: the last lines say what to push.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { note, root } from './installed.mjs'
import { releaseNotes } from './release-notes.mjs'

/** Runs a program; its output is returned, or shown. */
function run(program, args, { isShown = true } = {}) {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'],
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
  return stdout?.trim() ?? ''
}

const git = (...args) => run('git', args, { isShown: false })

/** Why a release can't be made now, if it can't. */
function findObstacle(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) return 'Usage: npm run release -- 0.2.0'
  if (git('branch', '--show-current') !== 'main') return 'Releases are made on main'
  if (git('status', '--porcelain') !== '') return 'Commit or remove your changes first'
  if (git('tag', '--list', `v${version}`) !== '') return `v${version} exists already`
  return null
}

const hasDocker = () => spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0

const version = process.argv[2]
const obstacle = findObstacle(version)
if (obstacle) {
  note(obstacle)
  process.exit(1)
}
const file = join(root, 'CHANGELOG.md')
const date = new Date().toISOString().slice(0, 10)
const { notes, changelog } = releaseNotes(readFileSync(file, 'utf8'), { version, date })

run(process.execPath, ['tools/record-release.mjs', version])
writeFileSync(file, changelog)
run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'])
git('add', '--all')
git('commit', '--message', `Release ${version}`)
git('tag', '--annotate', `v${version}`, '--message', notes)
if (hasDocker()) run('docker', ['build', '--file', 'deploy/Dockerfile', '--tag', `assay:${version}`, '.'])
else note('No container engine answers, so no image was built.')
note(`\n${notes}\n\nTo publish: git push origin main v${version}`)
