import { expect, type Locator, type Page } from '@playwright/test'

const yes = () => true
const no = () => false

/** Words of our paths; every other part of a path is somebody's id. */
const words = new Set(
  'experiments runs reports insights context secrets credits notifications definition results new query compare'.split(
    ' ',
  ),
)

/** `/runs/1f…` → `/runs/:id`: pages of one kind have the same buttons. A run and a request share a path and differ in `::`. */
export function kindOf(href: string) {
  const parts = new URL(href, 'http://here').pathname.split('/').slice(1)
  return `/${parts.map((part) => (words.has(part) || part === '' ? part : part.includes('%3A%3A') ? ':run' : ':id')).join('/')}`
}

/** Those would end the walk. */
const leaves = /^Sign out/

type Steps = { place: string; count: number; faults: Set<string> }

/** One page of every kind that links lead to, or `start` alone, and what was wrong with the buttons there. */
export async function walk(page: Page, { start = '/', follow = true } = {}) {
  const waiting = new Map([[kindOf(start), start]])
  const steps = await watchSteps(page)
  let everywhere = new Set<string>()
  const menus = new Set<string>()
  for (const [kind, href] of waiting) {
    steps.place = kind
    await open(page, href)
    for (const found of follow ? await linksOn(page) : [])
      if (!waiting.has(kindOf(found))) waiting.set(kindOf(found), found)
    if ((await wordless(page)).length > 0) {
      await open(page, href)
      for (const fault of await wordless(page)) steps.faults.add(`${kind}: ${fault}`)
    }
    const names = await namesOf(page.getByRole('button', { disabled: false }))
    for (const name of names.filter((each) => !everywhere.has(each))) {
      const tried = { name, href, hasNewMenu: !menus.has(beginningOf(name)) }
      menus.add(beginningOf(name))
      if ((await tryButton(page, steps, tried)).length === 0) continue
      // What a busy machine spoilt once comes right on a fresh page.
      await open(page, href)
      for (const fault of await tryButton(page, steps, tried)) steps.faults.add(`${kind}: ${fault}`)
    }
    // The shell's own, pressed once, do the same on every page.
    if (href === start) everywhere = new Set(await namesOf(page.locator('button:not(main *)')))
  }
  return { kinds: [...waiting.keys()], faults: [...steps.faults] }
}

const menuItems = (page: Page, which: { name?: string; exact?: boolean; disabled?: boolean }) =>
  page.getByRole('menuitem', which).or(page.getByRole('menuitemradio', which))

type Tried = { name: string; href: string; hasNewMenu: boolean }

/** Presses a button, and everything in the menu it may open; tells what was wrong with either. */
async function tryButton(page: Page, steps: Steps, { name, href, hasNewMenu }: Tried) {
  const button = page.getByRole('button', { name, exact: true }).first()
  // An earlier press may have taken it away.
  if (!(await button.isVisible())) return []
  const opensMenu = hasNewMenu && (await button.getAttribute('aria-haspopup')) === 'menu'
  const fault = await press(page, steps, { control: button, name })
  if (fault !== undefined) return [fault]
  if (opensMenu && !(await page.getByRole('menu').waitFor({ timeout: 10_000 }).then(yes, no)))
    return [`"${name}" opens no menu`]
  const faults: (string | undefined)[] = []
  for (const item of opensMenu ? await namesOf(menuItems(page, { disabled: false })) : []) {
    if ((await page.getByRole('menu').count()) === 0) await button.click()
    const control = menuItems(page, { name: item, exact: true }).first()
    faults.push(await press(page, steps, { control, name: `${name}" → "${item}` }), ...(await wordless(page)))
    await comeBack(page, href)
  }
  faults.push(...(await wordless(page)))
  await comeBack(page, href)
  return faults.filter((fault) => fault !== undefined)
}

/** Counts what a person can notice: pages, downloads, and what `countInPage` sees. A request alone is not among it. */
async function watchSteps(page: Page): Promise<Steps> {
  const steps: Steps = { place: '', count: 0, faults: new Set() }
  const count = () => {
    steps.count += 1
  }
  page.on('popup', count)
  page.on('download', count)
  page.on('filechooser', count)
  page.on('framenavigated', count)
  page.on('response', (response) => {
    if (response.status() !== 403) return
    const { pathname } = new URL(response.url())
    steps.faults.add(`${steps.place}: ${response.request().method()} ${pathname} answered 403`)
  })
  await page.exposeFunction('stepTaken', count)
  await page.addInitScript(countInPage)
  return steps
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

async function open(page: Page, href: string) {
  await page.goto(href)
  await page.getByRole('main').waitFor()
  await settled(page)
}

/** Until nothing is loading: what a person would wait for. */
async function settled(page: Page) {
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'), undefined, { timeout: 15_000 })
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

async function comeBack(page: Page, href: string) {
  for (let tries = 0; tries < 3 && (await page.getByRole('dialog').or(page.getByRole('menu')).count()) > 0; tries += 1)
    await page.keyboard.press('Escape')
  const { pathname, search } = new URL(page.url())
  if (pathname + search !== href || (await page.getByRole('dialog').count()) > 0) await open(page, href)
}

const linksOn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')]
      .filter((link) => link.checkVisibility())
      .map((link) => link.getAttribute('href') ?? '/'),
  )

/** Names of what may be pressed. Of several that begin alike, as in the rows of a table, the first stands for all. */
async function namesOf(controls: Locator) {
  const names = await Promise.all((await controls.all()).map(nameOf))
  const byBeginning = new Map(names.toReversed().map((name) => [beginningOf(name), name]))
  return [...byBeginning.values()].filter((name) => name !== '' && !leaves.test(name)).toReversed()
}

const beginningOf = (name: string) => name.replaceAll(/\d+/g, '#').split(' ').slice(0, 2).join(' ')

/** As assistive technology is told it. */
async function nameOf(locator: Locator) {
  const snapshot = await locator.ariaSnapshot({ timeout: 1000 }).catch(() => '')
  return /^- \S+ "((?:[^"\\]|\\.)*)"/.exec(snapshot)?.[1]?.replaceAll('\\"', '"') ?? ''
}

type Pressed = { control: Locator; name: string }

/** What is wrong with it: it cannot be pressed, or nothing follows within two seconds. */
async function press(page: Page, steps: Steps, { control, name }: Pressed) {
  const before = steps.count
  try {
    await control.click({ timeout: 10_000 })
  } catch {
    return (await control.isVisible()) ? `"${name}" cannot be pressed` : undefined
  }
  const isFollowed = await expect
    .poll(() => steps.count, { timeout: 2000 })
    .toBeGreaterThan(before)
    .then(yes, no)
  if (!isFollowed) return `"${name}" does nothing`
  await settled(page)
  return undefined
}

/** Disabled controls that do not say why: by a title, a description or a tooltip. */
async function wordless(page: Page) {
  const faults: string[] = []
  const disabled = await page
    .getByRole('button', { disabled: true })
    .or(page.getByRole('menuitem', { disabled: true }))
    .all()
  for (const control of disabled) {
    if (!(await control.isVisible())) continue
    const isExplained = await control.evaluate(
      (element) =>
        element.closest('[title]:not([title=""])') !== null || element.matches('[aria-describedby], [data-loading]'),
    )
    if (isExplained || (await tellsOnHover(page, control))) continue
    faults.push(`"${await nameOf(control)}" is disabled and does not say why`)
  }
  return faults
}

async function tellsOnHover(page: Page, control: Locator) {
  // Covered by what is open, nobody meets it now.
  await page.mouse.move(0, 0)
  if (!(await control.hover({ timeout: 5000 }).then(yes, no))) return true
  return expect(control).toHaveAttribute('aria-describedby', /./, { timeout: 3000 }).then(yes, no)
}
