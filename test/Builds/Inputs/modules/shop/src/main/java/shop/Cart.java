package shop;

import core.Money;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

public class Cart {
    private final List<Money> items = new ArrayList<>();

    public Cart add(Money price, int count) {
        for (int i = 0; i < count; ++i) {
            items.add(price);
        }
        return this;
    }

    public Money total() {
        Supplier<Money> none = () -> new Money(0, "EUR");
        return items.stream().reduce(Money::plus).orElseGet(none);
    }

    public synchronized boolean isEmpty() {
        return items.isEmpty();
    }
}
