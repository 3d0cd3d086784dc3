import { expect, type Page } from '@playwright/test'

const yes = () => true
const no = () => false

/** Words of our paths; every other part of a path is somebody's id. */
const pathWords = new Set(
  'experiments runs reports insights context secrets credits notifications definition results new query compare'.split(
    ' ',
  ),
)

/**
 * `/runs/1f…` → `/runs/:id`: pages of one kind have the same buttons. A run and a request share a path and differ in
 * `::`; the views of results share all but a parameter.
 */
export function kindOf(href: string) {
  const { pathname, searchParams } = new URL(href, 'http://here')
  const parts = pathname.split('/').map((part) => (pathWords.has(part) || part === '' ? part : idOf(part)))
  const view = searchParams.get('view')
  return parts.join('/') + (view ? `?view=${view}` : '')
}

const idOf = (part: string) => (part.includes('%3A%3A') ? ':run' : ':id')

/** Those would end the walk. */
const leaves = /^Sign out/

type Walk = {
  page: Page
  follow: boolean
  /** One of every kind. */
  pages: Map<string, string>
  /** Where it stands. */
  kind: string
  href: string
  /** What a person could notice so far: see `watchSteps`. */
  steps: number
  faults: Set<string>
  /** The views of a page share its bars: what was pressed in one view is not pressed again in the next. */
  pressed: Set<string>
  /** Menus by the beginning of their button's name: the same ones stand on many pages. */
  menus: Set<string>
}

/** One page of every kind: those to start from, and unless `follow` is off those that links on the way lead to. What was wrong with their buttons. */
export async function walkPages(page: Page, { starts = ['/'], follow = true } = {}) {
  // Nothing here is worth a longer wait, and a walk that waits forever tells nothing.
  page.setDefaultTimeout(15_000)
  const walk: Walk = {
    page,
    follow,
    pages: new Map(),
    kind: '',
    href: '',
    steps: 0,
    faults: new Set(),
    pressed: new Set(),
    menus: new Set(),
  }
  for (const href of starts) walk.pages.set(kindOf(href), href)
  await watchSteps(walk)
  for (const [kind, href] of walk.pages) {
    Object.assign(walk, { kind, href })
    await open(walk)
    await look(walk)
    // The shell around every page is tried on the first.
    const scope = href === starts[0] ? 'body' : 'main'
    for (const button of await controlsIn(page, scope, /^button$/)) {
      const known = `${kind.split('?')[0]} ${beginningOf(button)}`
      if (walk.pressed.has(known)) continue
      walk.pressed.add(known)
      await tryButton(walk, button)
    }
  }
  return { kinds: [...walk.pages.keys()], faults: [...walk.faults] }
}

/** Presses a button, and everything in the menu it may open; each on a page just opened, so that no press meets what another left. */
async function tryButton(walk: Walk, button: Control) {
  await open(walk)
  const locator = locate(walk.page, button)
  // An earlier press may have taken it away for good.
  if (!(await locator.isVisible())) return
  const opensMenu = (await locator.getAttribute('aria-haspopup')) === 'menu'
  await press(walk, button)
  const menu = beginningOf(button)
  if (!opensMenu || walk.menus.has(menu)) return
  walk.menus.add(menu)
  // What a menu is drawn with may still be on its way.
  await walk.page.getByRole('menu').waitFor()
  for (const item of await controlsIn(walk.page, 'body', /^menuitem/)) {
    await open(walk)
    await locator.click()
    await press(walk, item)
  }
}

/** A control of the page as assistive technology is told it. */
type Control = { role: 'button' | 'menuitem' | 'menuitemradio' | 'menuitemcheckbox'; name: string }

const locate = (page: Page, { role, name }: Control) => page.getByRole(role, { name, exact: true }).first()

/** What may be pressed there. Of several that begin alike, as in the rows of a table, the first stands for all. */
async function controlsIn(page: Page, scope: 'body' | 'main', roles: RegExp) {
  const snapshot = await page.locator(scope).ariaSnapshot()
  const controls = new Map<string, Control>()
  for (const [, quote, role = '', text = ''] of snapshot.matchAll(
    /^ *- ('?)(\w+) "((?:[^"\\]|\\.)*)"(?!.*\[disabled\])/gm,
  )) {
    const name = (quote ? text.replaceAll("''", "'") : text).replaceAll(/\\(.)/g, '$1')
    if (!roles.test(role) || leaves.test(name)) continue
    const control = { role: role as Control['role'], name }
    if (!controls.has(beginningOf(control))) controls.set(beginningOf(control), control)
  }
  return [...controls.values()]
}

const beginningOf = ({ name }: Control) => name.replaceAll(/\d+/g, '#').split(' ').slice(0, 2).join(' ')

const linksOn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')]
      .filter((link) => link.checkVisibility())
      .map((link) => link.getAttribute('href') ?? '/'),
  )

/** Counts what a person can notice: pages, downloads, and what `countInPage` sees. A request alone is not among it; a refused one is a fault. */
async function watchSteps(walk: Walk) {
  const { page } = walk
  const count = () => {
    walk.steps += 1
  }
  page.on('popup', count)
  page.on('download', count)
  page.on('filechooser', count)
  page.on('framenavigated', count)
  page.on('response', (response) => {
    if (response.status() !== 403) return
    const { pathname } = new URL(response.url())
    walk.faults.add(`${walk.kind}: ${response.request().method()} ${pathname} answered 403`)
  })
  await page.exposeFunction('stepTaken', count)
  await page.addInitScript(countInPage)
}

/** Runs in the page: what changes in it, where the focus goes, what it copies. */
function countInPage() {
  const taken = () => void (window as unknown as { stepTaken: () => void }).stepTaken()
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(taken).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: [
        'aria-expanded',
        'aria-pressed',
        'aria-checked',
        'aria-selected',
        'value',
        'open',
        'data-loading',
      ],
    })
  })
  addEventListener('input', taken, true)
  addEventListener('scroll', taken, true)
  const { clipboard } = navigator
  if (clipboard) clipboard.writeText = async () => taken()
  window.print = taken
}

async function open({ page, href }: Walk) {
  await page.goto(href)
  await page.getByRole('main').waitFor()
  await settled(page)
}

/** Until nothing is loading: what a person would wait for. */
async function settled(page: Page) {
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'))
  await page.waitForFunction(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true)))),
  )
}

/** A fault if it cannot be pressed, or if nothing follows within five seconds. */
async function press(walk: Walk, control: Control) {
  const before = walk.steps
  const told = `${walk.kind}: "${control.name}"`
  const locator = locate(walk.page, control)
  if (!(await locator.click().then(yes, no))) {
    walk.faults.add(`${told} cannot be pressed`)
    return
  }
  const isFollowed = await expect
    .poll(() => walk.steps, { intervals: [20], timeout: 5000 })
    .toBeGreaterThan(before)
    .then(yes, no)
  if (!isFollowed) walk.faults.add(`${told} does nothing`)
  await settled(walk.page)
  await look(walk)
}

/** For where links lead, and for what is disabled without words. */
async function look(walk: Walk) {
  for (const found of walk.follow ? await linksOn(walk.page) : [])
    if (!walk.pages.has(kindOf(found))) walk.pages.set(kindOf(found), found)
  await findWordless(walk)
}

/** Disabled controls that do not say why, by a title, a description or a tooltip. */
async function findWordless(walk: Walk) {
  // A control may be disabled for the moment it takes to load.
  if ((await wordlessOn(walk)).length === 0) return
  for (const fault of await wordlessOn(walk)) walk.faults.add(fault)
}

async function wordlessOn({ page, kind, faults }: Walk) {
  const disabled = page
    .getByRole('button', { disabled: true })
    .or(page.getByRole('menuitem', { disabled: true }))
    .and(page.locator(':not([title]:not([title=""]), [title]:not([title=""]) *, [aria-describedby], [data-loading])'))
  const found: string[] = []
  for (const control of await disabled.all()) {
    const words = await control.textContent({ timeout: 1000 }).catch(() => null)
    const fault = `${kind}: "${words}" is disabled and does not say why`
    if (words === null || faults.has(fault)) continue
    await page.mouse.move(0, 0)
    // Covered by what is open, or gone by now: nobody meets it.
    if (!(await control.hover({ timeout: 2000 }).then(yes, no))) continue
    const isTold = await expect(control).toHaveAttribute('aria-describedby', /./, { timeout: 2000 }).then(yes, no)
    if (!isTold) found.push(fault)
  }
  return found
}
