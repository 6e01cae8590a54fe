<?php

declare(strict_types=1);

namespace Depot\Model;

use Depot\Contracts\Weighs;

/**
 * Something on a shelf.
 *
 * @property string $label
 */
abstract class Item implements Weighs
{
    use Labelled;

    public const MAX = 30;
    protected static int $made = 0;

    public function __construct(private readonly string $code, protected ?Size $size = null)
    {
        self::$made++;
    }

    abstract public function weight(): float;

    public function heavy(): bool
    {
        return $this->weight() > self::MAX && $this->label() !== '';
    }
}

trait Labelled
{
    public function label(): string
    {
        return strtoupper($this->code);
    }
}

enum Size: string
{
    case Small = 's';
    case Large = 'l';

    public static function of(string $text): self
    {
        return self::from($text);
    }
}
