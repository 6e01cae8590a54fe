<?php

namespace Depot\Contracts;

interface Weighs
{
    public function weight(): float;
}
