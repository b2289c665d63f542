package core;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class MoneyTest {
    @Test
    void adds() {
        assertEquals(new Money(3, "EUR"), new Money(1, "EUR").plus(new Money(2, "EUR")));
    }

    @Test
    void refuses() {
        assertThrows(IllegalArgumentException.class, () -> new Money(1, null));
    }

    @Test
    void knowsRates() {
        assertEquals(1, new Rates().put("USD", 2).of("EUR"));
    }
}
