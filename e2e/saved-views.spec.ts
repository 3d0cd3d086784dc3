import { expect, test } from './fixtures.ts'

test('a user saves filters, makes them a favorite and the default, and shares them with a colleague', async ({
  page,
  colleague,
}) => {
  const name = `Slow and failed ${Date.now()}`
  const button = page.getByRole('button', { name: /^Saved views/ })
  const dialog = page.getByRole('dialog', { name: 'Saved views' })

  await test.step('save the filters and the order of the runs', async () => {
    await page.goto('/runs?result=unsolved&sort=-time')
    await button.click()
    await page.getByRole('menuitem', { name: /Save/ }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByRole('checkbox', { name: 'Share with everyone in the organization' }).check()
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: `Saved views: ${name}` })).toBeVisible()
  })

  await test.step('a used name replaces the view, and the form says so', async () => {
    await page.goto('/runs?result=unsolved&sort=-time&status=completed')
    await button.click()
    await page.getByRole('menuitem', { name: /Save/ }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await expect(dialog.getByText(`Replaces your view “${name}”.`)).toBeVisible()
    await dialog.getByRole('checkbox', { name: 'Share with everyone in the organization' }).check()
    await dialog.getByRole('button', { name: 'Replace view' }).click()
    await expect(page.getByRole('button', { name: `Saved views: ${name}` })).toBeVisible()
  })

  await test.step('mark it as a favorite and as the default', async () => {
    await button.click()
    await page.getByRole('menuitem', { name: 'Save or manage views…' }).click()
    await dialog.getByRole('button', { name: `Add ${name} to favorites on Home` }).click()
    await dialog.getByRole('button', { name: `Make ${name} the default view` }).click()
    await expect(dialog.getByText('shared · your default')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('the navigation and Home open it', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
    await expect(page).toHaveURL(/\/runs\?result=unsolved&sort=-time&status=completed$/)
    await page.goto('/')
    await page.getByRole('region', { name: 'Favorite views' }).getByRole('link', { name }).click()
    await expect(page).toHaveURL(/status=completed/)
    await button.click()
    await page.getByRole('menuitem', { name: 'Show without filters' }).click()
    await expect(page).toHaveURL(/\/runs$/)
  })

  await test.step('a colleague opens it, and can neither change nor delete it', async () => {
    await colleague.goto('/runs')
    await colleague.getByRole('button', { name: 'Saved views' }).click()
    await colleague.getByRole('menuitem', { name }).click()
    await expect(colleague).toHaveURL(/result=unsolved&sort=-time&status=completed/)
    await colleague.getByRole('button', { name: /^Saved views/ }).click()
    await colleague.getByRole('menuitem', { name: /manage/ }).click()
    const theirs = colleague.getByRole('dialog', { name: 'Saved views' })
    await expect(theirs.getByText('by Ada Admin')).toBeVisible()
    await expect(theirs.getByRole('button', { name: `Delete ${name}` })).toHaveCount(0)
  })

  await test.step('rename it, and delete it', async () => {
    await button.click()
    await page.getByRole('menuitem', { name: 'Save or manage views…' }).click()
    await dialog.getByRole('button', { name: `Rename ${name}` }).click()
    await dialog.getByRole('textbox', { name: `New name of ${name}` }).fill(`${name} again`)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: `Delete ${name} again` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
    await expect(dialog.getByRole('link', { name: `${name} again` })).toHaveCount(0)
  })
})
