package shop;

import static org.junit.jupiter.api.Assertions.*;

import core.Money;
import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void totals() {
        assertEquals(new Money(6, "EUR"), new Cart().add(new Money(2, "EUR"), 3).total());
        assertEquals(4, new Money(2, "EUR").times(2).cents());
    }

    @Test
    void isEmpty() {
        assertTrue(new Cart().isEmpty());
    }
}
