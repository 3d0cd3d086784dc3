import { Button, CloseButton, TextInput } from '@mantine/core'

import formParts from '#src/ui/form-parts.module.css'
import classes from './model-providers.module.css'
import { type PriceTexts, priceParts } from './own-price-texts.ts'

const partLabels = { input: 'Input', output: 'Output', cacheRead: 'Cache read', cacheWrite: 'Cache write' }

type Props = {
  prices: readonly PriceTexts[]
  getInputProps: (path: string) => object
  onAdd: () => void
  onRemove: (index: number) => void
}

/** Prices of calls with the organization's own keys. */
export function OwnPrices({ prices, getInputProps, onAdd, onRemove }: Props) {
  return (
    <div className={classes.prices}>
      <p className={classes.note}>
        Set prices for calls with your own keys if your contract differs from the price list below, or if the list lacks
        a model. In US dollars per million tokens. If you leave a cache price empty, the input price applies. Assay uses
        these prices for the cost, limits and budgets of runs that start after you save.
      </p>
      {prices.map((price, index) => (
        // Prices have no id of their own; a removed one moves those after it.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={index} className={classes.price} aria-label={`Price of ${price.model || 'a model'}`}>
          <TextInput label="Model" {...getInputProps(`ownPrices.${index}.model`)} />
          {priceParts.map((part) => (
            <TextInput
              key={part}
              label={partLabels[part]}
              leftSection="$"
              inputMode="decimal"
              {...getInputProps(`ownPrices.${index}.${part}`)}
            />
          ))}
          <CloseButton
            aria-label={`Remove the price of ${price.model || 'this model'}`}
            className={classes.remove}
            onClick={() => onRemove(index)}
          />
        </fieldset>
      ))}
      <Button variant="default" className={formParts.verbAtStart} onClick={onAdd}>
        Add a price
      </Button>
    </div>
  )
}
