<?php

namespace Depot;

use Depot\Model\{Item, Size as Measure};
use function Depot\Support\kilos;

require_once __DIR__ . '/helpers.php';

#[\Attribute]
final class Crate extends Item
{
    private array $items = [];

    public function weight(): float
    {
        // TODO: add the crate itself
        return kilos(array_sum(array_map(fn (Item $item) => $item->weight(), $this->items)));
    }

    public function add(Item $item): static
    {
        $this->items[] = $item;
        $size = Measure::of('s');

        return $this;
    }

    public static function filled(Item ...$items): self
    {
        $crate = new self('crate');
        foreach ($items as $item) {
            $crate->add($item);
        }

        return $crate;
    }
}
